import type { CallPattern, PatternAlarm } from './call-pattern.ts';

export interface CallLimits {
  /** Inbound and outbound calls of the whole company. */
  readonly simultaneousCalls: number;
  /** New ones of the company in any minute. */
  readonly callsPerMinute: number;
  /** At once that one employee placed. */
  readonly employeeSimultaneousCalls: number;
  /** New ones of one employee in any minute. */
  readonly employeeCallsPerMinute: number;
}

export type LimitName = keyof CallLimits;

export const limitNames: readonly LimitName[] = [
  'simultaneousCalls',
  'callsPerMinute',
  'employeeSimultaneousCalls',
  'employeeCallsPerMinute',
];

/** A call that was admitted, until it is known to have ended. */
export interface AdmittedCall {
  readonly callId: string;
  /** The employee who placed it; absent for an inbound call. */
  readonly employeeId?: string;
  /** When it was admitted, by the machine's time in ms: its document is written within seconds of that. */
  readonly admittedAt: number;
}

/** New calls at one moment. Written with every call, so it contains no more than it has to. */
interface CallStarts {
  /** Measured by the product's clock, in ms. */
  readonly at: number;
  /** The employee who placed them; absent for inbound calls. */
  readonly employeeId?: string;
  /** Absent for one. */
  readonly count?: number;
}

/** The counters of a company's calls, in one document per company, so that all its limits are decided by one write. */
export interface CallUsage {
  /** The company's. */
  readonly id: string;
  readonly companyId: string;
  /** Those that have ended are removed when one of the limits is reached, or when this process knows it. */
  readonly admitted: readonly AdmittedCall[];
  /** Starts of the last minute. */
  readonly starts: readonly CallStarts[];
  /** Refused since the last event about it, and when that was. */
  readonly refused: { readonly count: number; readonly reportedAt: Date | null };
  readonly pattern: CallPattern | null;
}

export type CallUsageEvent = { readonly companyId: string } & (
  | { readonly type: 'call-control.call_usage.limit_reached'; readonly limit: LimitName; readonly refused: number }
  | { readonly type: 'call-control.call_usage.unusual'; readonly alarm: PatternAlarm }
);

/** A call that asks for admission. */
export interface CallRequest {
  readonly callId: string;
  readonly employeeId: string | null;
  /** It is not counted among the new ones of the minute: its legs are. */
  readonly isStarted?: boolean;
}

/** Why calls are refused, and for how long that is certain. */
export interface LimitReached {
  readonly limit: LimitName;
  /** Until then nothing but another limit can change it, in ms of the product's clock; null: a call may end at any time. */
  readonly until: number | null;
}

interface AdmissionTime {
  /** The product's. */
  readonly now: Date;
  /** The machine's, in ms. */
  readonly machineMs: number;
}

const WINDOW_MS = 60_000;
/** Clocks of two machines differ by milliseconds; what lies further ahead was counted before the clock was put back. */
const AHEAD_MAX_MS = 5000;
/** Each start is counted for itself up to this many in a minute; above, those of a second together. */
const EXACT_MAX = 300;
const COARSE_MS = 1000;
/** One event about refused calls for each company in this time. */
const REPORT_EVERY_MS = 3_600_000;

export function newCallUsage(companyId: string): CallUsage {
  return {
    id: companyId,
    companyId,
    admitted: [],
    starts: [],
    refused: { count: 0, reportedAt: null },
    pattern: null,
  };
}

/**
 * Admits a call, or names the limit that refuses it. A call that was admitted before stays admitted and is counted
 * once. The state is the same object when nothing changes.
 */
export function admitCall(
  usage: CallUsage,
  request: CallRequest,
  limits: CallLimits,
  time: AdmissionTime,
): { readonly usage: CallUsage; readonly refused: LimitReached | null } {
  const { callId, employeeId } = request;
  if (usage.admitted.some((other) => other.callId === callId)) return { usage, refused: null };
  const nowMs = time.now.getTime();
  const starts = currentStarts(usage.starts, nowMs);
  const refused = limitReached(usage.admitted, starts, request, limits);
  if (refused) return { usage, refused };
  const by = employeeId === null ? {} : { employeeId };
  const admitted = { callId, ...by, admittedAt: time.machineMs };
  const at = limits.callsPerMinute <= EXACT_MAX ? nowMs : Math.ceil(nowMs / COARSE_MS) * COARSE_MS;
  const counted = request.isStarted ? starts : withStart(starts, { at, ...by });
  return { usage: { ...usage, admitted: [...usage.admitted, admitted], starts: counted }, refused: null };
}

/** Removes calls that have ended. */
export function removeCalls(usage: CallUsage, hasEnded: (call: AdmittedCall) => boolean): CallUsage {
  const admitted = usage.admitted.filter((call) => !hasEnded(call));
  return admitted.length === usage.admitted.length ? usage : { ...usage, admitted };
}

/** Calls were refused: the first ones, and then once an hour, are an event; those in between are only counted. */
export function reportRefused(
  usage: CallUsage,
  { limit, count }: { limit: LimitName; count: number },
  now: Date,
): { readonly usage: CallUsage; readonly events: readonly CallUsageEvent[] } {
  const total = usage.refused.count + count;
  if (!mayReport(usage, now)) return { usage: { ...usage, refused: { ...usage.refused, count: total } }, events: [] };
  const { companyId } = usage;
  const event = { type: 'call-control.call_usage.limit_reached', companyId, limit, refused: total } as const;
  return { usage: { ...usage, refused: { count: 0, reportedAt: now } }, events: [event] };
}

/** Limits the events about refused calls. A report time in the future was recorded before the clock was set back. */
export function mayReport({ refused: { reportedAt } }: CallUsage, now: Date): boolean {
  if (!reportedAt) return true;
  const sinceMs = now.getTime() - reportedAt.getTime();
  return sinceMs >= REPORT_EVERY_MS || sinceMs < -AHEAD_MAX_MS;
}

function currentStarts(starts: readonly CallStarts[], nowMs: number): readonly CallStarts[] {
  return starts.filter(({ at }) => at > nowMs - WINDOW_MS && at <= nowMs + AHEAD_MAX_MS);
}

function withStart(starts: readonly CallStarts[], added: Omit<CallStarts, 'count'>): CallStarts[] {
  const same = starts.find(({ at, employeeId }) => at === added.at && employeeId === added.employeeId);
  if (!same) return [...starts, added];
  return starts.map((other) => (other === same ? { ...same, count: (same.count ?? 1) + 1 } : other));
}

function limitReached(
  admitted: readonly AdmittedCall[],
  starts: readonly CallStarts[],
  { employeeId }: CallRequest,
  limits: CallLimits,
): LimitReached | null {
  if (total(starts) >= limits.callsPerMinute)
    return { limit: 'callsPerMinute', until: roomAt(starts, limits.callsPerMinute) };
  if (admitted.length >= limits.simultaneousCalls) return { limit: 'simultaneousCalls', until: null };
  if (employeeId === null) return null;
  const own = starts.filter((start) => start.employeeId === employeeId);
  if (total(own) >= limits.employeeCallsPerMinute)
    return { limit: 'employeeCallsPerMinute', until: roomAt(own, limits.employeeCallsPerMinute) };
  if (admitted.filter((call) => call.employeeId === employeeId).length >= limits.employeeSimultaneousCalls)
    return { limit: 'employeeSimultaneousCalls', until: null };
  return null;
}

function total(starts: readonly CallStarts[]): number {
  return starts.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** When so many of the starts have left the window that another one fits. */
function roomAt(starts: readonly CallStarts[], max: number): number {
  let excess = total(starts) - max + 1;
  for (const { at, count = 1 } of starts.toSorted((one, other) => one.at - other.at)) {
    excess -= count;
    if (excess <= 0) return at + WINDOW_MS;
  }
  return Infinity;
}
