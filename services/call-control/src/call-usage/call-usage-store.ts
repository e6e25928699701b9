import type { Clock } from '@parley/clock';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import { CallLimit, UnusualCalls } from '@parley/proto/call_control/v1/call_usage_events_pb';
import type { Db } from 'mongodb';
import type { AlarmKind } from './call-pattern.ts';
import type { CallUsage, CallUsageEvent, LimitName } from './call-usage.ts';

export type CallUsages = Aggregates<CallUsage, CallUsageEvent>;

/** Companies with calls within minutes. */
const RECENT_MAX = 2000;

const limits: Record<LimitName, CallLimit> = {
  simultaneousCalls: CallLimit.SIMULTANEOUS_CALLS,
  callsPerMinute: CallLimit.CALLS_PER_MINUTE,
  employeeSimultaneousCalls: CallLimit.EMPLOYEE_SIMULTANEOUS_CALLS,
  employeeCallsPerMinute: CallLimit.EMPLOYEE_CALLS_PER_MINUTE,
};

const alarms: Record<AlarmKind, UnusualCalls> = {
  new_countries: UnusualCalls.NEW_COUNTRIES,
  volume: UnusualCalls.VOLUME,
  short_calls: UnusualCalls.SHORT_CALLS,
};

export function openCallUsages(options: { db: Db; relay: Relay; clock: Clock }): Promise<CallUsages> {
  return openAggregates<CallUsage, CallUsageEvent>({
    ...options,
    collection: 'call_usages',
    encode: encodeCallUsageEvent,
    // A company's calls arrive at one switch, so one process writes it most of the time.
    recentMax: RECENT_MAX,
  });
}

function encodeCallUsageEvent(event: CallUsageEvent): EncodedMessage {
  const { companyId } = event;
  if (event.type === 'call-control.call_usage.limit_reached')
    return encodeMessage(event.type, { companyId, limit: limits[event.limit], refused: event.refused });
  const { kind, count, countries } = event.alarm;
  return encodeMessage(event.type, { companyId, kind: alarms[kind], count, countries: [...countries] });
}
