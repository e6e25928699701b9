import { type FinishedCall, isMissed, talkSecs } from './random-calls.ts';

/** A row as a person with all calls and a calendar would write it. */
export function recompute(calls: readonly FinishedCall[]): Record<string, number> {
  const waits = calls
    .filter(({ isInbound, answeredMs }) => isInbound && answeredMs !== null)
    .map(({ startedMs, answeredMs }) => Math.floor(((answeredMs ?? 0) - startedMs) / 1000))
    .sort((a, b) => a - b);
  const answered = calls.filter(({ answeredMs }) => answeredMs !== null);
  const talk = answered.reduce((sum, call) => sum + talkSecs(call), 0);
  const count = (fits: (call: FinishedCall) => boolean) => calls.filter(fits).length;
  const average = (sum: number, of: number) => (of === 0 ? 0 : Math.round((1000 * sum) / of) / 1000);
  return {
    total: calls.length,
    inbound: count(({ isInbound }) => isInbound),
    outbound: count(({ isInbound }) => !isInbound),
    answered: answered.length,
    missed: count(isMissed),
    voicemails: count(({ hasVoicemail }) => hasVoicemail),
    abandoned: count(({ isAbandoned }) => isAbandoned),
    waitSecsAvg: average(
      waits.reduce((sum, wait) => sum + wait, 0),
      waits.length,
    ),
    waitSecsP90: waits[Math.ceil(0.9 * waits.length) - 1] ?? 0,
    talkSecsTotal: talk,
    talkSecsAvg: average(talk, answered.length),
    answeredWithin20s: waits.filter((wait) => wait <= 20).length,
    assisted: count(({ assistantOutcome }) => assistantOutcome !== null),
    assistantResolved: count(({ assistantOutcome }) => assistantOutcome === 'resolved'),
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The key of each call under a group, from the calendar of the runtime. */
export function keysOf(
  call: Pick<FinishedCall, 'startedMs' | 'number' | 'employees'>,
  groupBy: string,
  zone: string,
): string[] {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      weekday: 'short',
      timeZoneName: 'longOffset',
    });
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(call.startedMs).map(({ type, value }) => [type, value]));
  const date = `${parts['year']}-${parts['month']}-${parts['day']}`;
  const offset = (parts['timeZoneName'] ?? '').replace('GMT', '') || '+00:00';
  switch (groupBy) {
    case 'day':
      return [date];
    case 'hour':
      return [`${date}T${parts['hour']}:00:00${offset}`];
    case 'weekday':
      return [String(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts['weekday'] ?? ''))];
    case 'hour_of_day':
      return [String(Number(parts['hour']))];
    case 'business_number':
      return [call.number];
    default:
      return [...new Set(call.employees)];
  }
}
