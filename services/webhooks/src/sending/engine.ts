import type { Clock, MovableClock } from '@parley/clock';
import { startSweep } from '@parley/mongo';
import type { Lease } from '@parley/aggregates';
import { type LanesDeps, openLanes } from './lanes.ts';
import { beginAttempt, type Delivery, isSettled, recordInterruption } from '../deliveries/delivery.ts';
import type { Deliveries, DeliveryFilter, StoredDelivery } from '../deliveries/delivery-store.ts';
import type { Receivers } from './receivers.ts';

const CLAIMED_MAX = 5_000;
/** The interval of the search for lanes that a dead process did not advance. */
const LANE_SWEEP_MS = 10_000;
const LANES_PER_SWEEP = 1000;
/** A stopping process waits this long for responses. */
const STOP_GRACE_MS = 3_000;

export type Engine = ReturnType<typeof startEngine>;

interface EngineDeps extends Omit<LanesDeps, 'onDue'> {
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
      for (const lane of await deliveries.stuckLanes(LANES_PER_SWEEP)) await lanes.waiting.advance(lane);
    },
  });
  return {
    add: lanes.add,
    announce: lanes.waiting.announce,
    resume: lanes.waiting.resume,
    resumeIfDelivering: lanes.waiting.resumeIfDelivering,
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

/** The due deliveries of one query. */
const PAGE = 200;
/** After a query that found nothing, the next one is this much later, unless something is known to be due. */
const QUIET_MS = 500;

/**
 * Claims due deliveries subscription by subscription, of each as many as its receiver has capacity for, and passes over those
 * whose receiver has none: a slow receiver with ten thousand due deliveries costs the others nothing, because the index
 * is entered behind them.
 */
export function openDueClaims(deliveries: Deliveries, receivers: Receivers, clock: Clock) {
  let lastSubscription = '';
  let quietUntil = 0;

  return {
    /** The attempts of what is claimed are started. */
    async take(claimable: DeliveryFilter, lease: Lease): Promise<StoredDelivery[]> {
      if (performance.now() < quietUntil) return [];
      quietUntil = performance.now() + QUIET_MS;
      const saturated = receivers.saturated();
      const page = (after: string) => deliveries.due(claimable, after, saturated, PAGE);
      const after = await page(lastSubscription);
      const found = after.length > 0 || lastSubscription === '' ? after : await page('');
      if (found.length > 0) quietUntil = 0;
      lastSubscription = found.length < PAGE ? '' : found.at(-1)!.subscriptionId;
      const capacities = new Map<string, number>();
      const chosen = found.filter(({ subscriptionId }) => {
        const left = capacities.get(subscriptionId) ?? receivers.capacity(subscriptionId);
        capacities.set(subscriptionId, left - 1);
        return left > 0;
      });
      const now = clock.now();
      return deliveries.claim(chosen, lease, (delivery) => begin(delivery, now));
    },
    /** Something may be due: the next query is made at once. */
    wake(): void {
      quietUntil = 0;
    },
  };
}

/** One whose last attempt was interrupted has none left, and is settled instead. */
function begin(delivery: Delivery, now: Date): Delivery {
  const resumed = recordInterruption(delivery, now);
  return isSettled(resumed) ? resumed : beginAttempt(resumed, now);
}
