import type { BatchHandler, DecodedEvent, Event, EventMessage, EventType } from '@parley/events';
import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import type { Message } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { callFact } from './call-reports/call-fact.ts';
import type { CompanyTotalsStore } from './company-totals/company-totals-store.ts';
import type { Facts } from './facts/fact-store.ts';
import type { Fact } from './facts/fact.ts';
import { contactFact, messageFact } from './message-reports/message-facts.ts';
import type { Pseudonyms } from './people/pseudonym-store.ts';

/** The facts of an event. */
type FactsOf<Type extends EventType> = (message: EventMessage<Type>, event: Event) => Promise<(Fact | undefined)[]>;

/** A fact of an event, and when that happened. */
interface EventFact {
  readonly fact: Fact;
  readonly occurredAt: Date;
}

/** Keeps facts equal to calls and texts, and notes that they have changed. */
export function reportHandlers({
  facts,
  companyTotals,
  pseudonyms,
}: {
  readonly facts: Facts;
  readonly companyTotals: Pick<CompanyTotalsStore, 'note'>;
  readonly pseudonyms: Pseudonyms;
}): BatchHandler {
  async function countAll(changed: readonly EventFact[]): Promise<void> {
    if (changed.length === 0) return;
    await facts.putAll(changed.map(({ fact }) => fact));
    // Also when the facts are the same: the process may have been killed before the note.
    const byCompany = Map.groupBy(changed, ({ fact }) => fact.companyId);
    await Promise.all(
      [...byCompany].map(([companyId, own]) => {
        const since = Math.min(...own.map(({ occurredAt }) => occurredAt.getTime()));
        return companyTotals.note(companyId, new Date(since));
      }),
    );
  }

  const sourceOf = ({ aggregateSequence }: Event) => ({
    sequence: aggregateSequence,
    readAt: null,
    storedAt: new Date(),
  });

  async function callFacts(call: Call | undefined, event: Event, isLost?: true): Promise<(Fact | undefined)[]> {
    if (!call) return [];
    const personOf = await pseudonyms.of(call.companyId);
    const fact = callFact(call, sourceOf(event));
    return [fact && { ...fact, ...(isLost && { isLost }) }, contactFact(call, sourceOf(event), personOf)];
  }

  const ofCall = async ({ call, current = call }: { call?: Call; current?: Call }, event: Event) =>
    callFacts(current, event);
  const ofMessage = async ({ message }: { message?: Message }, event: Event) =>
    message ? [messageFact(message, sourceOf(event), await pseudonyms.of(message.companyId))] : [];
  const factsOf: { readonly [Type in EventType]?: FactsOf<Type> } = {
    'call-control.call.initiated': ofCall,
    'call-control.call.outside_business_hours': ofCall,
    'call-control.call.queued': ofCall,
    'call-control.call.answered': ofCall,
    'call-control.call.ended': ofCall,
    // Also of a voicemail that was withdrawn. One that an employee deleted still counts: the caller left it.
    'call-control.call.lost': async ({ call }, event) => callFacts(call, event, true),
    'call-control.call.transcription_done': ofCall,
    'call-control.call.updated': ofCall,
    // A voicemail may be created after the last event of the call.
    'call-control.voicemail.created': async ({ call, voicemail }) =>
      call && voicemail
        ? [callFact({ ...call, voicemailId: voicemail.id }, { sequence: 0, readAt: null, storedAt: new Date() })]
        : [],
    'messaging-inbox.message.received': ofMessage,
    'messaging-inbox.message.created': ofMessage,
    'messaging-inbox.message.status_changed': ofMessage,
    'messaging-inbox.message.updated': ofMessage,
  };

  async function eventFacts({ type, message, event }: DecodedEvent): Promise<EventFact[]> {
    const found = await (factsOf[type] as FactsOf<EventType> | undefined)?.(message, event);
    return found?.flatMap((fact) => (fact ? [{ fact, occurredAt: event.occurredAt }] : [])) ?? [];
  }
  return {
    types: Object.keys(factsOf) as EventType[],
    batchPer: 'follower',
    handleBatch: async (events) => countAll((await Promise.all(events.map(eventFacts))).flat()),
  };
}
