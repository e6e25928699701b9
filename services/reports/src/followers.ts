import type { Event, EventHandlers } from '@parley/events';
import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import type { Message } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { callFact } from './call-reports/call-fact.ts';
import type { CompanyTotalsStore } from './company-totals/company-totals-store.ts';
import type { Facts } from './facts/fact-store.ts';
import type { Fact } from './facts/fact.ts';
import { contactFact, messageFact } from './message-reports/message-facts.ts';
import { HISTORY_MS } from './message-reports/person-history.ts';
import type { Pseudonyms } from './people/pseudonym-store.ts';

const HOUR_MS = 3_600_000;

/** Keeps facts equal to calls and texts, and notes which totals they change. */
export function reportHandlers({
  facts,
  companyTotals,
  pseudonyms,
}: {
  readonly facts: Facts;
  readonly companyTotals: Pick<CompanyTotalsStore, 'note'>;
  readonly pseudonyms: Pseudonyms;
}): EventHandlers {
  const note = ({ companyId, kind, at, businessNumberId }: Fact, employeeIds: readonly string[], since: Date) =>
    companyTotals.note(companyId, {
      kind,
      hour: Math.floor(at.getTime() / HOUR_MS) * HOUR_MS,
      businessNumberIds: [businessNumberId],
      employeeIds: [...new Set(employeeIds)],
      since,
    });

  async function count(fact: Fact | undefined, { occurredAt }: Event): Promise<void> {
    if (!fact) return;
    const before = await facts.put(fact);
    // Also when the fact is the same: the process may have been killed before the note.
    const notes = [note(fact, [...(before?.employeeIds ?? []), ...fact.employeeIds], occurredAt)];
    // An event that arrives late changes how later facts of the same person count.
    const people = [...new Set([before?.person, fact.person])].filter((person) => person !== undefined);
    if (people.length > 0 && !isOnlyUpdated(before, fact))
      for (const later of await facts.later(fact.companyId, people, fact.at.getTime(), HISTORY_MS))
        notes.push(note(later, later.employeeIds, occurredAt));
    await Promise.all(notes);
  }

  const sourceOf = ({ aggregateSequence }: Event) => ({
    sequence: aggregateSequence,
    readAt: null,
    storedAt: new Date(),
  });

  async function countCall(call: Call | undefined, event: Event, isLost?: true): Promise<void> {
    if (!call) return;
    const personOf = await pseudonyms.of(call.companyId);
    const fact = callFact(call, sourceOf(event));
    await Promise.all([
      count(fact && { ...fact, ...(isLost && { isLost }) }, event),
      count(contactFact(call, sourceOf(event), personOf), event),
    ]);
  }

  const onCall = async ({ call }: { call?: Call }, event: Event) => countCall(call, event);
  const onMessage = async ({ message }: { message?: Message }, event: Event) =>
    message && count(messageFact(message, sourceOf(event), await pseudonyms.of(message.companyId)), event);
  return {
    'call-control.call.initiated': onCall,
    'call-control.call.outside_business_hours': onCall,
    'call-control.call.queued': onCall,
    'call-control.call.answered': onCall,
    'call-control.call.ended': onCall,
    // Also of a voicemail that was withdrawn. One that an employee deleted still counts: the caller left it.
    'call-control.call.lost': async ({ call }, event) => countCall(call, event, true),
    'call-control.call.transcription_done': onCall,
    'call-control.call.updated': onCall,
    // A voicemail may be created after the last event of the call.
    'call-control.voicemail.created': async ({ call, voicemail }, event) =>
      count(
        call &&
          voicemail &&
          callFact({ ...call, voicemailId: voicemail.id }, { sequence: 0, readAt: null, storedAt: new Date() }),
        event,
      ),
    'messaging-inbox.message.received': onMessage,
    'messaging-inbox.message.created': onMessage,
    'messaging-inbox.message.status_changed': onMessage,
    'messaging-inbox.message.updated': onMessage,
  };
}

/** True when an earlier event said the same about the person: the person's notes are then up to date already. */
function isOnlyUpdated(before: Fact | undefined, { sequence, person, contact, at }: Fact): boolean {
  return (
    before !== undefined &&
    before.sequence > 0 &&
    before.sequence < sequence &&
    before.person === person &&
    before.contact === contact &&
    before.at.getTime() === at.getTime()
  );
}
