import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { batch, batching } from '@parley/queues';
import { counterFromZero, type Telemetry } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';
import type { Call } from '../calls/model/call.ts';
import type { Calls } from '../calls/store/call-store.ts';
import { alarmKinds, countPlacedCall, countShortCalls, type PlacedCall, SHORT_CALL_SECS } from './call-pattern.ts';
import {
  type AdmittedCall,
  admitCall,
  type CallLimits,
  type CallRequest,
  type CallUsage,
  type CallUsageEvent,
  type LimitName,
  limitNames,
  type LimitReached,
  mayReport,
  newCallUsage,
  removeCalls,
  reportRefused,
} from './call-usage.ts';
import type { CallUsages } from './call-usage-store.ts';

/** A call that asks for admission; `placed` of one that an employee places. */
interface AdmissionRequest extends CallRequest {
  readonly limits: CallLimits;
  readonly placed: PlacedCall | null;
}

/** Admits calls within the limits of their company, exactly, with any number of processes. */
export type CallAdmissions = ReturnType<typeof callAdmissions>;

/** The in-memory state of a company besides the stored one. */
interface CompanyState {
  readonly admit: (request: AdmissionRequest) => Promise<LimitName | null>;
  readonly endedIds: Set<string>;
  shortCalls: number;
  /** Refusals that need no look at the database, by who asks. */
  readonly certain: Map<string, Certainty>;
  /** Refused and not reported yet. */
  refusedCount: number;
}

interface Certainty extends LimitReached {
  /** The limit's value: with another one it is decided again. */
  readonly max: number;
  /** Measured by the product's clock and the machine's. */
  readonly nowMs: number;
  readonly machineMs: number;
}

const COMPANIES_MAX = 5000;
const ENDED_MAX = 2000;
const NOTED_MAX = 10_000;
/** An admitted call whose document does not exist after this time was never created: its process crashed. */
const CREATED_WITHIN_MS = 30_000;
/** A company at its limit is not read again for each further call of a flood. */
const FULL_FOR_MS = 50;

export function callAdmissions(deps: {
  usages: CallUsages;
  calls: Calls;
  clock: Clock;
  machineClock: Clock;
  telemetry: Pick<Telemetry, 'log' | 'meter'>;
}) {
  const { usages, calls, clock, machineClock } = deps;
  const { log, meter } = deps.telemetry;
  const refusedCounter = counterFromZero(
    meter,
    'parley_calls_refused_total',
    limitNames.map((limit) => ({ limit })),
  );
  const alarmCounter = counterFromZero(
    meter,
    'parley_unusual_calls_total',
    alarmKinds.map((kind) => ({ kind })),
  );
  const certain = certainRefusals(clock, machineClock);
  const companies = new LRUCache<string, CompanyState>({ max: COMPANIES_MAX });
  /** An ended call is reported several times. */
  const noted = new LRUCache<string, true>({ max: NOTED_MAX });

  function stateOf(companyId: string): CompanyState {
    const known = companies.get(companyId);
    if (known) return known;
    const admit = batch(
      (requests: readonly AdmissionRequest[]) => decideAll(companyId, requests),
      batching.callAdmissions,
    );
    const state = { admit, endedIds: new Set<string>(), shortCalls: 0, certain: new Map(), refusedCount: 0 };
    companies.set(companyId, state);
    return state;
  }

  /** Calls that arrive during a decision are decided together next: a flood costs as many commands as one caller. */
  async function decideAll(
    companyId: string,
    requests: readonly AdmissionRequest[],
  ): Promise<readonly (LimitName | null)[]> {
    let { usage, reached } = await decide(companyId, requests, () => false);
    if (reached.some((one) => one && isAboutOpenCalls(one))) {
      const hasEnded = await endedAmong(calls, usage, machineClock.now().getTime());
      if (hasEnded) ({ usage, reached } = await decide(companyId, requests, hasEnded));
    }
    reached.forEach((one, index) => one && certain.remember(stateOf(companyId), requests[index]!, one));
    const refused = reached.filter((one) => one !== null);
    if (refused.length > 0) await reportRefusals(usage, refused[0]!.limit, refused.length);
    return reached.map((one) => one?.limit ?? null);
  }

  async function decide(
    companyId: string,
    requests: readonly AdmissionRequest[],
    hasEnded: (call: AdmittedCall) => boolean,
  ): Promise<{ usage: CallUsage; reached: readonly (LimitReached | null)[] }> {
    const state = stateOf(companyId);
    const [endedIds, shortCalls] = [new Set(state.endedIds), state.shortCalls];
    let outcome: ReturnType<typeof decideRequests> | undefined;
    const usage = await usages.of(companyId).upsert(companyId, (current) => {
      const time = { now: clock.now(), machineMs: machineClock.now().getTime() };
      const ended = (call: AdmittedCall) => endedIds.has(call.callId) || hasEnded(call);
      const before = removeCalls(current ?? newCallUsage(companyId), ended);
      outcome = decideRequests(before, requests, { ...time, shortCalls });
      return decided(outcome.usage, outcome.events);
    });
    for (const id of endedIds) state.endedIds.delete(id);
    state.shortCalls -= shortCalls;
    for (const event of outcome!.events) {
      if (event.type !== 'call-control.call_usage.unusual') continue;
      const { kind, count } = event.alarm;
      alarmCounter.add(1, { kind });
      log.warn({ companyId, kind, count }, 'the calls that a company places are unusual');
    }
    return { usage, reached: outcome!.reached };
  }

  /** One event an hour; refusals in between are counted in memory, so that a flood writes nothing. */
  async function reportRefusals(usage: CallUsage, limit: LimitName, count: number): Promise<void> {
    if (!mayReport(usage, clock.now())) return;
    const { companyId } = usage;
    const state = stateOf(companyId);
    const total = state.refusedCount + count;
    state.refusedCount = -count;
    const { refused } = await usages.of(companyId).upsert(companyId, (current) => {
      const report = reportRefused(current ?? newCallUsage(companyId), { limit, count: total }, clock.now());
      return decided(report.usage, report.events);
    });
    if (refused.count === 0) log.warn({ companyId, limit, refused: total }, 'calls of a company are refused');
  }

  return {
    /** The limit that refuses the call; null when it is admitted. A call is counted once, however often it asks. */
    async admit(companyId: string, request: AdmissionRequest): Promise<LimitName | null> {
      const state = stateOf(companyId);
      // One that has started may be among the admitted calls, which only the database knows.
      const known = request.isStarted ? undefined : certain.of(state, request);
      const refused = known ?? (await state.admit(request));
      if (refused === null) return null;
      refusedCounter.add(1, { limit: refused });
      state.refusedCount += 1;
      return refused;
    },
    /** The call has ended, or was never created. Nothing is written: it is removed with the company's next call. */
    ended({
      companyId,
      id,
      direction,
      answeredAt,
      durationSecs,
    }: Pick<Call, 'id' | 'companyId'> & Partial<Call>): void {
      if (noted.has(id)) return;
      noted.set(id, true);
      const state = stateOf(companyId);
      state.certain.clear();
      // Further ones are found when a limit is reached.
      if (state.endedIds.size < ENDED_MAX) state.endedIds.add(id);
      if (direction === 'outbound' && answeredAt && (durationSecs ?? 0) < SHORT_CALL_SECS) state.shortCalls += 1;
    },
  };
}

/** Refusals that are known without a look at the database. */
function certainRefusals(clock: Clock, machineClock: Clock) {
  function isCertain({ until, nowMs, machineMs }: Certainty): boolean {
    const now = clock.now().getTime();
    if (until !== null) return now >= nowMs && now < until;
    const elapsedMs = machineClock.now().getTime() - machineMs;
    return elapsedMs >= 0 && elapsedMs < FULL_FOR_MS;
  }

  return {
    remember({ certain }: CompanyState, request: AdmissionRequest, reached: LimitReached): void {
      const times = { nowMs: clock.now().getTime(), machineMs: machineClock.now().getTime() };
      certain.set(keyOf(request, reached.limit), { ...reached, max: request.limits[reached.limit], ...times });
    },
    of({ certain }: CompanyState, request: AdmissionRequest): LimitName | undefined {
      for (const key of [keyOf(request, 'callsPerMinute'), keyOf(request, 'employeeCallsPerMinute')]) {
        const known = certain.get(key);
        if (!known) continue;
        if (known.max === request.limits[known.limit] && isCertain(known)) return known.limit;
        certain.delete(key);
      }
      return undefined;
    },
  };
}

/** The ended ones of the admitted calls; undefined when none has. The stored calls are authoritative. */
async function endedAmong(
  calls: Calls,
  { companyId, admitted }: CallUsage,
  machineMs: number,
): Promise<((call: AdmittedCall) => boolean) | undefined> {
  const own = calls.of(companyId);
  // Somebody who waits to be called back uses no line until then (`permitOutside`).
  const open = new Set(await own.valuesOf('id', { isOpen: true, 'callback.state': { $ne: 'waiting' } }));
  const others = admitted.filter(({ callId }) => !open.has(callId));
  // One without a document may still be created.
  const youngSince = machineMs - CREATED_WITHIN_MS;
  const [young, old] = [
    others.filter(({ admittedAt }) => admittedAt > youngSince).map(({ callId }) => callId),
    others.filter(({ admittedAt }) => admittedAt <= youngSince).map(({ callId }) => callId),
  ];
  const endedYoung = young.length === 0 ? [] : await own.valuesOf('id', { id: { $in: young }, isOpen: false });
  const ended = new Set([...old, ...endedYoung]);
  return ended.size === 0 ? undefined : ({ callId }) => ended.has(callId);
}

const isAboutOpenCalls = ({ until }: LimitReached): boolean => until === null;

/** Limits of the company refuse everybody, those of an employee the employee. */
function keyOf({ employeeId }: CallRequest, limit: LimitName): string {
  return limit === 'callsPerMinute' || limit === 'simultaneousCalls' ? '' : (employeeId ?? '');
}

/** Decides requests one after the other. */
function decideRequests(
  before: CallUsage,
  requests: readonly AdmissionRequest[],
  { now, machineMs, shortCalls }: { now: Date; machineMs: number; shortCalls: number },
) {
  let usage = before;
  if (shortCalls > 0 && usage.pattern) usage = { ...usage, pattern: countShortCalls(usage.pattern, shortCalls, now) };
  const events: CallUsageEvent[] = [];
  const reached: (LimitReached | null)[] = [];
  for (const { limits, placed, ...request } of requests) {
    const decision = admitCall(usage, request, limits, { now, machineMs });
    const isNew = decision.usage !== usage;
    usage = decision.usage;
    reached.push(decision.refused);
    if (!placed || !isNew) continue;
    const { pattern, alarms } = countPlacedCall(usage.pattern, placed, now);
    usage = { ...usage, pattern };
    const { companyId } = usage;
    events.push(...alarms.map((alarm) => ({ type: 'call-control.call_usage.unusual', companyId, alarm }) as const));
  }
  return { usage, events, reached };
}
