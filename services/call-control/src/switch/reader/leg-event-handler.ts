import type { BackgroundWork } from '@parley/clock';
import { isUnreachable } from '@parley/mongo';
import { batch, fairQueue, keyedQueue, sharedResult } from '@parley/queues';
import type { Telemetry } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';
import type { Switch } from '../connection/switch-client.ts';
import type { Arrival, LegEvent } from '../../calls/model/leg-event.ts';
import type { Arrivals } from './arrivals.ts';
import type { CallInput } from '../../calls/model/call-input.ts';
import type { CallKey, CallRunner } from '../../calls/store/call-runner.ts';
import type { Calls } from '../../calls/store/call-store.ts';

interface ReportingSwitch {
  readonly switch: Switch;
  readonly coreUuid: string;
}

/** Applies a switch's events about legs to their calls, in order for each call. Throws what could not be applied. */
export type LegEventHandler = ReturnType<typeof createLegEventHandler>;

/** A cache of the calls of legs; the oldest entries are dropped first. */
const LEGS_MAX = 20_000;
/**
 * Callers who are taken at once. More of them wait, those of one number not longer than those of others: on a busy machine
 * whoever is in a call already, such as a caller who hears the beep, comes before whoever hears the ringing tone.
 */
const ARRIVALS_AT_ONCE = 64;

export function createLegEventHandler(deps: {
  calls: Calls;
  runner: CallRunner;
  arrivals: Arrivals;
  backgroundWork: BackgroundWork;
  telemetry: Pick<Telemetry, 'log' | 'meter'>;
}) {
  const { calls, runner, arrivals, backgroundWork } = deps;
  const { log, meter } = deps.telemetry;
  const takeovers = meter.createCounter('parley_legs_replacing_refused_total');
  const duration = meter.createHistogram('parley_switch_event_duration_seconds', { unit: 's' });
  const setup = meter.createHistogram('parley_call_setup_duration_seconds', { unit: 's' });
  const callOfLeg = new LRUCache<string, CallKey>({ max: LEGS_MAX });
  /** Legs that were rejected: nothing is looked up for their last events, which a flood of calls has many of. */
  const rejected = new LRUCache<string, true>({ max: LEGS_MAX });
  /** Legs that a carrier sent. Their answer is what we ordered, and nothing follows from it, so that it is not stored. */
  const fromCarrier = new LRUCache<string, true>({ max: LEGS_MAX });
  const byLeg = keyedQueue();
  const takeArrival = limitArrivals(arrivals);
  let handled = 0;
  /** Inputs that arrive during a write of their call are applied together next: one decision after the other, one write. */
  const applyInput = batch(
    sharedResult((inputs: readonly { readonly key: CallKey; readonly input: CallInput }[]) =>
      runner.applyAll(
        inputs[0]!.key,
        inputs.map(({ input }) => input),
      ),
    ),
    { keyBy: ({ key }) => key.id, max: Infinity, isRetriedAlone: (error) => !isUnreachable(error) },
  );

  async function callOf(legId: string): Promise<CallKey | undefined> {
    const known = callOfLeg.get(legId);
    if (known) return known;
    const call = await calls.byLeg(legId);
    const key = call && { companyId: call.companyId, id: call.id };
    if (key) callOfLeg.set(legId, key);
    return key;
  }

  async function deliverArrival(event: LegEvent, arrival: Arrival, from: ReportingSwitch): Promise<void> {
    const { legId } = event;
    const arrived = await takeArrival({ ...from, legId }, arrival);
    if (!arrived) return void rejected.set(legId, true);
    callOfLeg.set(legId, arrived.key);
    if (arrival.kind === 'carrier') fromCarrier.set(legId, true);
    if (!arrived.isHandled) await applyInput({ key: arrived.key, input: event });
  }

  /** From the arrival of a leg until its call is stored and executes its first commands, or the leg was rejected. */
  async function setUpCall(event: LegEvent, arrival: Arrival, from: ReportingSwitch): Promise<void> {
    const startedAt = performance.now();
    const record = (outcome: string) => setup.record((performance.now() - startedAt) / 1000, { outcome });
    try {
      await deliverArrival(event, arrival, from);
      record(rejected.has(event.legId) ? 'rejected' : 'taken');
    } catch (error) {
      record('failed');
      throw error;
    }
  }

  async function refuseReplacing(legId: string, { switch: at }: ReportingSwitch): Promise<void> {
    takeovers.add(1, { switch: at.name });
    log.warn({ switch: at.name, leg_id: legId }, 'a leg that would replace another one was hung up');
    rejected.set(legId, true);
    await at.control(legId, [{ do: 'hang_up', legId, cause: 'CALL_REJECTED' }]);
  }

  async function deliver(event: LegEvent, from: ReportingSwitch): Promise<void> {
    const { legId } = event;
    if ('replaces' in event) return refuseReplacing(legId, from);
    if (rejected.has(legId)) return;
    // Not looked for first: a leg that has a call already collides with it.
    if (event.type === 'leg_parked' && event.arrival && !callOfLeg.get(legId))
      return setUpCall(event, event.arrival, from);
    // A bridge is reported on one of its two legs, which may be an unknown one.
    const key = (await callOf(legId)) ?? (event.type === 'leg_bridged' ? await callOf(event.peerId) : undefined);
    if (key) await applyInput({ key, input: event });
    // Created after the order to end it had been refused, or found to be missing before: nobody is at the other end.
    else if (event.type === 'leg_answered' && event.isOurs)
      await from.switch.control(legId, [{ do: 'hang_up', legId, cause: 'NORMAL_CLEARING' }]);
    if (event.type === 'leg_ended') callOfLeg.delete(legId);
  }

  return {
    /** Grows when an event or input arrives, and again when it has been applied. */
    get handled() {
      return handled;
    },
    /** Applies an input to a call, in order with its events. */
    async apply(key: CallKey, input: CallInput): Promise<void> {
      handled += 1;
      await backgroundWork.during(() => applyInput({ key, input })).finally(() => (handled += 1));
    },
    async handle(event: LegEvent, from: ReportingSwitch): Promise<void> {
      handled += 1;
      const { legId } = event;
      if (event.type === 'leg_answered' && !('replaces' in event) && fromCarrier.has(legId)) return;
      const receivedAt = performance.now();
      await backgroundWork
        .during(async () => {
          const known = byLeg.has(legId) ? undefined : callOfLeg.get(legId);
          // In its call's queue at once, so that events of two legs keep their order.
          if (!known) return byLeg.run(legId, () => deliver(event, from));
          if (event.type === 'leg_ended') callOfLeg.delete(legId);
          await applyInput({ key: known, input: event });
        })
        .finally(() => (handled += 1));
      duration.record((performance.now() - receivedAt) / 1000, { event: event.type });
    },
  };
}

/** The employees of a company are not delayed by those who call from outside. */
function limitArrivals(arrivals: Arrivals): Arrivals['take'] {
  const waiting = fairQueue<() => void>();
  let arriving = 0;
  return async (at, arrival) => {
    if (arrival.kind !== 'carrier') return arrivals.take(at, arrival);
    if (arriving >= ARRIVALS_AT_ONCE) await new Promise<void>((go) => waiting.add(arrival.dialled, go));
    else arriving += 1;
    return arrivals.take(at, arrival).finally(() => {
      const next = waiting.take();
      if (next) next();
      else arriving -= 1;
    });
  };
}
