import type { Event, EventHandlers } from '@parley/events';
import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import { callFact } from './call-reports/call-fact.ts';
import type { CompanyTotalsStore } from './company-totals/company-totals-store.ts';
import type { Facts } from './facts/fact-store.ts';
import type { Fact } from './facts/fact.ts';

const HOUR_MS = 3_600_000;

/** Keeps facts equal to calls, and notes which totals they change. */
export function reportHandlers({
  facts,
  companyTotals,
}: {
  readonly facts: Facts;
  readonly companyTotals: CompanyTotalsStore;
}): EventHandlers {
  async function count(fact: Fact | undefined, { occurredAt }: Event): Promise<void> {
    if (!fact) return;
    const before = await facts.put(fact);
    // Also when the fact is the same: the process may have been killed before the note.
    await companyTotals.note(fact.companyId, {
      kind: fact.kind,
      hour: Math.floor(fact.at.getTime() / HOUR_MS) * HOUR_MS,
      businessNumberIds: [fact.businessNumberId],
      employeeIds: [...new Set([...(before?.employeeIds ?? []), ...fact.employeeIds])],
      since: occurredAt,
    });
  }
  const factOf = (call: Call | undefined, { aggregateSequence }: Event) =>
    call && callFact(call, { sequence: aggregateSequence, readAt: null, storedAt: new Date() });
  const onCall = async ({ call }: { call?: Call }, event: Event) => count(factOf(call, event), event);
  return {
    'call-control.call.initiated': onCall,
    'call-control.call.outside_business_hours': onCall,
    'call-control.call.queued': onCall,
    'call-control.call.answered': onCall,
    'call-control.call.ended': onCall,
    // Also of a voicemail that was withdrawn. One that an employee deleted still counts: the caller left it.
    'call-control.call.lost': async ({ call }, event) => {
      const fact = factOf(call, event);
      await count(fact && { ...fact, isLost: true }, event);
    },
    'call-control.call.transcription_done': onCall,
    'call-control.call.updated': onCall,
    // Whether the caller left a voicemail may become known after the last event of the call.
    'call-control.voicemail.created': async ({ call, voicemail }, event) =>
      count(
        call &&
          voicemail &&
          callFact({ ...call, voicemailId: voicemail.id }, { sequence: 0, readAt: null, storedAt: new Date() }),
        event,
      ),
  };
}
