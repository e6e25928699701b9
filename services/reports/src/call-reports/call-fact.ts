import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt';
import { type Call, CallDirection } from '@parley/proto/call_control/v1/calls_pb';
import type { Fact } from '../facts/fact.ts';

/** Undefined for a call without a start, which no total counts. */
export function callFact(call: Call, source: Pick<Fact, 'sequence' | 'readAt' | 'storedAt'>): Fact | undefined {
  if (!call.startedAt) return undefined;
  const isInbound = call.direction !== CallDirection.OUTBOUND;
  const counts: Record<string, number> = { [isInbound ? 'inbound' : 'outbound']: 1 };
  const spreads: Record<string, Record<string, number>> = {};
  if (call.answeredAt) {
    counts[isInbound ? 'answeredInbound' : 'answeredOutbound'] = 1;
    if (isInbound) spreads['wait'] = { [wholeSecs(call.startedAt, call.answeredAt)]: 1 };
    if (call.durationSecs) counts[isInbound ? 'talkInbound' : 'talkOutbound'] = call.durationSecs;
    const minutes = startedMinutes(call);
    if (minutes > 0) counts[isInbound ? 'minutesInbound' : 'minutesOutbound'] = minutes;
  }
  if (call.missed) counts['missed'] = 1;
  if (call.voicemailId !== undefined) counts['voicemails'] = 1;
  if (call.abandoned) counts['abandoned'] = 1;
  if (call.assistant?.sessionId !== undefined) counts['assisted'] = 1;
  if (call.assistant?.outcome === 'resolved') counts['assistantResolved'] = 1;
  return {
    id: call.id,
    companyId: call.companyId,
    kind: 'calls',
    at: new Date(timestampMs(call.startedAt)),
    ...source,
    businessNumberId: call.mainNumberId,
    employeeIds: [...new Set(call.employees.map(({ id }) => id))],
    cell: { counts, spreads },
  };
}

/** Each call is rounded up, also one that lasted less than the whole seconds of its record show. */
function startedMinutes({ durationSecs = 0, answeredAt, endedAt }: Call): number {
  const hasLasted = answeredAt && endedAt && timestampMs(endedAt) > timestampMs(answeredAt);
  return Math.max(Number(Boolean(hasLasted)), Math.ceil(durationSecs / 60));
}

function wholeSecs(from: Timestamp, to: Timestamp): number {
  return Math.max(0, Math.floor((timestampMs(to) - timestampMs(from)) / 1000));
}
