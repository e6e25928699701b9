import { type Event, nounOf, removeDeadLetters } from '@parley/events';
import type { EventRemoval } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { ErasureStep, Person } from './erasure.ts';
import { eventMentions } from './mentions-person.ts';

/** True for an event after the request of the erasure that is about something new, and stays. */
export type KeepsEvent = (event: Event, person: Person) => Promise<boolean>;

/** Events of employees and of the company: what follows from them must happen, and an employee is not erased. */
const COMPANY_NOUNS: ReadonlySet<string> = new Set([
  'company',
  'employee',
  'employee_status',
  'number',
  'registration',
  'erasure',
]);

/** Events about people outside the company may be removed; the audit log never loses an entry. */
function isRemovable({ type, audit }: Event): boolean {
  return audit === undefined && !COMPANY_NOUNS.has(nounOf(type));
}

/**
 * Removes events from where a service keeps them: its log and its stream (absent when the service publishes nothing), and the dead letters of
 * its followers.
 */
export function eventRemovalSteps<Subject extends { readonly companyId: string }>(
  { db, removal }: { db: Db; removal?: EventRemoval | undefined },
  fitsFor: (subject: Subject) => (event: Event) => Promise<boolean>,
): ErasureStep<Subject>[] {
  const deadLetters: ErasureStep<Subject> = {
    name: 'dead_letters',
    async erase(subject) {
      const fits = fitsFor(subject);
      await removeDeadLetters(db, async (event) => event.companyId === subject.companyId && fits(event));
      return { removed: 0 };
    },
  };
  if (!removal) return [deadLetters];
  return [
    {
      name: 'event_log',
      erase: async (subject, after) => ({
        removed: 0,
        next: await removal.fromLog(subject.companyId, after, fitsFor(subject)),
      }),
    },
    {
      name: 'stream',
      async erase(subject, after) {
        const next = await removal.fromStream(subject.companyId, Number(after) || 1, fitsFor(subject));
        return { removed: 0, next: next === undefined ? undefined : String(next) };
      },
    },
    deadLetters,
  ];
}

/** Removes events that mention a person. One that is still to be published is waited for. */
export function eventSteps(options: { db: Db; removal?: EventRemoval; keeps: KeepsEvent }): ErasureStep[] {
  const { removal, keeps } = options;
  const fitsFor = (person: Person) => async (event: Event) =>
    event.companyId === person.companyId &&
    isRemovable(event) &&
    eventMentions(event, person.phoneNumber) &&
    (event.occurredAt <= person.before || !(await keeps(event, person)));
  const pendingEvents: ErasureStep = {
    name: 'pending_events',
    erase: async (person) => ({
      removed: 0,
      isWaiting: (await removal?.isPending(person.companyId, fitsFor(person))) ?? false,
    }),
  };
  return [...(removal ? [pendingEvents] : []), ...eventRemovalSteps(options, fitsFor)];
}
