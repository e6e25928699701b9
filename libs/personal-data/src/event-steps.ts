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
 * Removes events that mention a person from where a service keeps them: its log and its stream, and the dead letters of
 * its followers. An event that is still to be published is waited for.
 */
export function eventSteps(options: {
  db: Db;
  /** Absent when the service publishes nothing. */
  removal?: EventRemoval;
  keeps: KeepsEvent;
}): ErasureStep[] {
  const { db, removal, keeps } = options;
  const fitsFor = (person: Person) => async (event: Event) =>
    event.companyId === person.companyId &&
    isRemovable(event) &&
    eventMentions(event, person.phoneNumber) &&
    (event.occurredAt <= person.before || !(await keeps(event, person)));
  const deadLetters: ErasureStep = {
    name: 'dead_letters',
    async erase(person) {
      await removeDeadLetters(db, fitsFor(person));
      return { removed: 0 };
    },
  };
  if (!removal) return [deadLetters];
  return [
    {
      name: 'pending_events',
      erase: async (person) => ({
        removed: 0,
        isWaiting: await removal.isPending(person.companyId, fitsFor(person)),
      }),
    },
    {
      name: 'event_log',
      erase: async (person, after) => ({
        removed: 0,
        next: await removal.fromLog(person.companyId, after, fitsFor(person)),
      }),
    },
    {
      name: 'stream',
      async erase(person, after) {
        const next = await removal.fromStream(person.companyId, Number(after) || 1, fitsFor(person));
        return { removed: 0, next: next === undefined ? undefined : String(next) };
      },
    },
    deadLetters,
  ];
}
