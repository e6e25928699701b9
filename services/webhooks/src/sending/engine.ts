import type { Clock, MovableClock } from '@parley/clock';
import { startSweep } from '@parley/mongo';
import { openDueClaims } from './due-claims.ts';
import { type LanesDeps, openLanes } from './lanes.ts';

const CLAIMED_MAX = 5_000;
/** The interval of the search for lanes that a dead process did not advance. */
const LANE_SWEEP_MS = 10_000;
const LANES_PER_SWEEP = 1000;
/** A stopping process waits this long for responses. */
const STOP_GRACE_MS = 3_000;

export type Engine = ReturnType<typeof startEngine>;

export interface EngineDeps extends Omit<LanesDeps, 'onDue'> {
  readonly clock: Clock | MovableClock;
}

/** Sends deliveries as soon as they are due, in however many processes. */
export function startEngine(deps: EngineDeps) {
  const { deliveries, receivers, clock, backgroundWork, telemetry, leaseMs } = deps;
  const { log, meter } = telemetry;
  meter.createObservableGauge('parley_webhook_receivers').addCallback((result) => result.observe(receivers.count()));
  const claims = openDueClaims(deliveries, receivers, clock);
  const lanes = openLanes({ ...deps, onDue: pollNow });
  const work = deliveries.startClaimedWork({
    name: 'webhook deliveries',
    claimField: 'claim',
    clock,
    backgroundWork,
    log,
    // Receivers have their own limits; this only bounds the number of claims.
    concurrency: CLAIMED_MAX,
    leaseMs,
    take: claims.take,
    handle: lanes.sendDue,
  });
  /** Something is due now. */
  function pollNow(): void {
    claims.wake();
    work.pollNow();
  }
  receivers.onCapacity(pollNow);
  if ('onMove' in clock) {
    clock.onMove(({ back }) => {
      pollNow();
      if (!back) return;
      // Attempts in progress may still use the time before the move.
      const pulling = backgroundWork.during(() => lanes.settled().then(work.pullBack));
      pulling.catch((error: unknown) => log.warn({ err: error }, 'due times not adjusted to the clock'));
    });
  }
  // A delivery is settled and its lane advanced in two steps; a process can crash in between.
  const sweeping = startSweep({
    name: 'stuck lanes',
    everyMs: LANE_SWEEP_MS,
    backgroundWork,
    log,
    async sweep() {
      for (const lane of await deliveries.stuckLanes(LANES_PER_SWEEP)) await lanes.advance(lane);
    },
  });
  return {
    add: lanes.add,
    resume: lanes.resume,
    pollNow,
    async stop(): Promise<void> {
      // Deliveries that wait in this process are left to another one: they could take longer than a stop may.
      receivers.drain();
      const abort = setTimeout(() => void receivers.abort('stopping'), STOP_GRACE_MS);
      await Promise.all([lanes.stop(), work.stop(), sweeping.stop()]);
      clearTimeout(abort);
    },
  };
}
