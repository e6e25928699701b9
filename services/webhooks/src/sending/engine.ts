import { type BackgroundWork, type Clock, type MovableClock } from '@parley/clock';
import { newId } from '@parley/ids';
import { dueIn, type Lease, newLease } from '@parley/aggregates';
import { isUnreachable } from '@parley/mongo';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import {
  beginAttempt,
  type Delivery,
  isSettled,
  laneOf,
  recordAttempt,
  recordInterruption,
  sendNow,
  suspend,
  withdrawAttempt,
} from '../deliveries/delivery.ts';
import { type Claimed, type Deliveries, toDelivery } from '../deliveries/delivery-store.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { isDelivering, type Subscription } from '../subscriptions/subscription.ts';
import type { Receivers, RequestPermit } from './receivers.ts';
import type { Send } from './send.ts';
import { openDueClaims } from './due-claims.ts';
import { type Behind, type LaneRuns, laneRuns, type Made, type Started } from './lane-runs.ts';

const CLAIMED_MAX = 5_000;

/** The interval of the search for lanes that a dead process did not advance. */
const LANE_SWEEP_MS = 10_000;
const LANES_PER_SWEEP = 1000;

export interface Engine {
  /** Starts a new delivery's first attempt in the write that stores it; undefined when the receiver has no capacity. */
  start(delivery: Delivery, subscription: Subscription, body: string): Started | undefined;
  /** Makes a started attempt, and those of what was stored behind it; their ends are recorded, not awaited here. */
  run(started: Started, behind: readonly (Behind | undefined)[]): void;
  readonly lanes: Omit<LaneRuns, 'deliver'>;
  /** Something is due now. */
  pollNow(): void;
  /** Makes the next of a subject's events due, if the one before is settled. */
  advanceLane(subscriptionId: string, subject: string): Promise<void>;
  /** Makes due what waited for the end of a pause. */
  resume(subscriptionId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface EngineDeps {
  readonly deliveries: Deliveries;
  readonly subscriptions: Subscriptions;
  readonly receivers: Receivers;
  readonly send: Send;
  readonly clock: Clock | MovableClock;
  readonly backgroundWork: BackgroundWork;
  readonly telemetry: Telemetry;
  /**
   * Longer than an attempt takes with its wait for a permit and the writes around it. Past it, the attempt was interrupted.
   */
  readonly leaseMs: number;
}

/** A stopping process waits this long for responses. */
const STOP_GRACE_MS = 3_000;

export function startEngine(deps: EngineDeps): Engine {
  const { deliveries, subscriptions, receivers, send, clock, backgroundWork, telemetry, leaseMs } = deps;
  const attempts = telemetry.meter.createCounter('parley_webhook_attempts_total');
  const givenUp = telemetry.meter.createCounter('parley_webhook_deliveries_failed_total');
  const firstDelay = telemetry.meter.createHistogram('parley_webhook_first_attempt_delay_seconds', { unit: 's' });
  const startDelay = telemetry.meter.createHistogram('parley_webhook_start_delay_seconds', { unit: 's' });
  telemetry.meter
    .createObservableGauge('parley_webhook_receivers')
    .addCallback((result) => result.observe(receivers.count()));
  const running = new Set<Promise<void>>();
  /** The owner of first attempts: a delivery is new only once. All results of one owner are one write. */
  const ownerOfNew = newId('lease');
  let stopped = false;

  const claims = openDueClaims(deliveries, receivers, clock);
  const work = deliveries.startClaimedWork({
    name: 'webhook deliveries',
    claimField: 'claim',
    clock,
    backgroundWork,
    log: telemetry.log,
    // Receivers have their own limits; this only bounds the number of claims.
    concurrency: CLAIMED_MAX,
    leaseMs,
    take: claims.next,
    handle: (stored) => processDue(toDelivery(stored), stored.claim!, stored.followed),
  });
  const pollNow = () => {
    claims.wake();
    work.pollNow();
  };
  receivers.onCapacity(pollNow);
  if ('onMove' in clock) {
    clock.onMove(({ back }) => {
      pollNow();
      if (!back || running.size === 0) return;
      // Attempts in progress may still use the time before the move.
      const pulling = backgroundWork.during(() => Promise.allSettled(running).then(() => work.pullBack()));
      pulling.catch((error: unknown) => telemetry.log.warn({ err: error }, 'due times not adjusted to the clock'));
    });
  }

  /** A due delivery: a retry, a first attempt without capacity, or one that a crashed process left. */
  async function processDue(delivery: Delivery, lease: Lease, followed: boolean): Promise<void> {
    if (isSettled(delivery)) return settleUnsent({ delivery, lease, followed });
    const subscription = await subscriptions.recent(delivery.companyId, delivery.subscriptionId);
    if (!subscription) return deliveries.remove(delivery.id);
    // After a crash, others that the process had in memory may wait behind it.
    const mayBeFollowed = followed || delivery.attempts.length > 1;
    const permit = receivers.permit(subscription);
    await lanes.deliver({ delivery, lease, followed: mayBeFollowed, permit });
  }

  /** One without attempts left, after a crash in its last one. */
  async function settleUnsent(claimed: Claimed): Promise<void> {
    const { subscriptionId, subject } = claimed.delivery;
    if ((await record(claimed)) && subject !== null) await advanceLane(subscriptionId, subject);
  }

  /**
   * The start is stored and the permit exists. The subscription is as it was a moment before the permit was made, or later. Its deletion
   * checks for permits after that moment: so one of the two sees the other, and nothing starts after the deletion was answered.
   * Returns what is to be recorded; undefined when no request was made. `before` is awaited before the request.
   */
  async function attempt(started: Started, before?: Promise<unknown>): Promise<Made | undefined> {
    const { permit, body, subscription: read, ...begun } = started;
    try {
      const { companyId, subscriptionId } = begun.delivery;
      const reading = read ?? subscriptions.recent(companyId, subscriptionId);
      const [subscription] = await Promise.all([reading, before]);
      return await attemptFor(subscription, begun, permit, body);
    } finally {
      permit.release();
    }
  }

  async function attemptFor(
    subscription: Subscription | undefined,
    begun: Claimed,
    permit: RequestPermit,
    body: string | undefined,
  ): Promise<Made | undefined> {
    const { lease, followed = false } = begun;
    if (!subscription) {
      await deliveries.remove(begun.delivery.id);
      return undefined;
    }
    if (!isDelivering(subscription) && !begun.delivery.isTest) {
      await suspendDelivery({ delivery: withdrawAttempt(begun.delivery), lease });
      return undefined;
    }
    if (!(await permit.acquire())) {
      await record({ delivery: withdrawAttempt(begun.delivery), lease });
      return undefined;
    }
    const sentAt = clock.now();
    const delivery = sendNow(begun.delivery, sentAt);
    if (delivery.attempts.length === 1) {
      firstDelay.record(secsBetween(delivery.createdAt, sentAt));
      startDelay.record(secsBetween(begun.delivery.attempts[0]!.at, sentAt));
    }
    const { outcome, result } = await telemetry.span(
      'deliver webhook',
      {
        kind: SpanKind.CLIENT,
        parent: contextFrom(delivery.traceparent ?? undefined),
        attributes: { 'parley.webhook.delivery': delivery.id, 'parley.webhook.event': delivery.event },
      },
      async (span) => {
        const sent = await send(delivery, subscription, permit.signal, body).finally(() => permit.release());
        span.setAttribute('parley.webhook.outcome', sent.result);
        if (sent.outcome.statusCode !== null) span.setAttribute('http.response.status_code', sent.outcome.statusCode);
        return sent;
      },
    );
    attempts.add(1, { outcome: result });
    if (result === 'aborted' && permit.signal.reason === 'deleted') return undefined;
    const now = clock.now();
    const recorded =
      result === 'aborted' ? recordInterruption(delivery, now) : recordAttempt(delivery, outcome, now, Math.random());
    return { delivery: recorded, lease, followed, subscription };
  }

  /** False when certainly no other delivery waits for it. */
  function record(claimed: Claimed): Promise<boolean> {
    if (claimed.delivery.status === 'failed') givenUp.add(1);
    return deliveries.record(claimed);
  }

  const leaseOfNew = () => newLease(leaseMs, ownerOfNew);

  const lanes = laneRuns({
    deliveries,
    receivers,
    clock,
    leaseMs,
    newLease: leaseOfNew,
    isStopped: () => stopped,
    attempt,
    record,
    advanceLane,
  });

  function run(started: Started, behind: readonly (Behind | undefined)[]): void {
    const delivering: Promise<void> = backgroundWork
      .during(() => lanes.deliver(started, behind))
      .catch((error: unknown) =>
        telemetry.log.error({ err: error, delivery: started.delivery.id }, 'attempt failed; it is tried again'),
      )
      .finally(() => running.delete(delivering));
    running.add(delivering);
  }

  async function advanceLane(subscriptionId: string, subject: string): Promise<void> {
    const advanced = await deliveries.advanceLane(laneOf(subscriptionId, subject), dueIn(clock.now(), 0));
    if (advanced) pollNow();
  }

  async function suspendDelivery({ delivery, lease }: Claimed): Promise<void> {
    await deliveries.record({ delivery: suspend(delivery), lease });
    // Resumed between the read of the subscription and this write: nothing else would make it due.
    const subscription = await subscriptions.current(delivery.subscriptionId);
    if (subscription && isDelivering(subscription)) await resume(delivery.subscriptionId);
  }

  async function resume(subscriptionId: string): Promise<void> {
    if ((await deliveries.resume(subscriptionId, dueIn(clock.now(), 0))) > 0) pollNow();
  }

  /** A delivery is settled and its lane advanced in two steps; a process can crash in between. */
  async function sweepStuckLanes(): Promise<void> {
    for (const lane of await deliveries.stuckLanes(LANES_PER_SWEEP)) {
      if (await deliveries.advanceLane(lane, dueIn(clock.now(), 0))) pollNow();
    }
  }
  const sweep = () =>
    void backgroundWork.during(sweepStuckLanes).catch((error: unknown) => {
      if (!isUnreachable(error)) telemetry.log.warn({ err: error }, 'cannot look for stuck lanes; retrying');
    });
  const sweeping = setInterval(sweep, LANE_SWEEP_MS);
  sweep();

  return {
    start(delivery, subscription, body) {
      const permit = stopped ? undefined : receivers.permitForNew(subscription);
      if (!permit) return undefined;
      // While the delivery is stored.
      const reading = subscriptions.recent(subscription.companyId, subscription.id);
      reading.catch(() => undefined); // the attempt fails with it, if it is made
      return {
        delivery: beginAttempt(delivery, clock.now()),
        lease: leaseOfNew(),
        permit,
        body,
        subscription: reading,
      };
    },
    run,
    lanes,
    pollNow,
    advanceLane,
    resume,
    async stop() {
      stopped = true;
      clearInterval(sweeping);
      // Deliveries that wait in this process are left to another one: they could take longer than a stop may.
      receivers.drain();
      const abort = setTimeout(() => void receivers.abort('stopping'), STOP_GRACE_MS);
      await work.stop();
      // An attempt that ends may have started the next one of its lane just before.
      while (running.size > 0) await Promise.all(running);
      clearTimeout(abort);
      await claims.stop();
    },
  };
}

/** The product's clock may have been moved back in the meantime. */
function secsBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1000;
}
