import { type BackgroundWork, type Clock, type MovableClock, systemClock } from '@parley/clock';
import { newId } from '@parley/ids';
import { dueIn, type DueLease } from '@parley/aggregates';
import { isUnreachable } from '@parley/mongo';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import {
  beginAttempt,
  type Delivery,
  isSettled,
  laneOf,
  recordAttempt,
  recordInterruption,
  suspend,
  takeTurn,
  withdrawAttempt,
} from '../deliveries/delivery.ts';
import { type Claimed, type Deliveries, type StoredDelivery, toDelivery } from '../deliveries/delivery-store.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { isDelivering, type Subscription } from '../subscriptions/subscription.ts';
import type { Receivers, RequestPermit } from './receivers.ts';
import type { Send } from './send.ts';
import { openDueClaims } from './due-claims.ts';

const CLAIMED_MAX = 5_000;

/** How often to look for lanes that a dead process did not advance. */
const LANE_SWEEP_MS = 10_000;
const LANES_PER_SWEEP = 1000;

/** An attempt that begins in the write that stores its delivery. */
export interface Started extends Claimed {
  readonly lease: DueLease;
  readonly permit: RequestPermit;
  /** What is sent, not encrypted; where it is known. */
  readonly body?: string;
}

export interface Engine {
  /** Starts a new delivery's first attempt in the write that stores it; undefined when the receiver has no capacity. */
  start(delivery: Delivery, subscription: Subscription, body: string): Started | undefined;
  /** Makes a started attempt; its end is recorded, not awaited here. */
  run(started: Started): void;
  /** Whether this process tries a delivery of the lane now. */
  isTrying(lane: string): boolean;
  /** Something is due now. */
  nudge(): void;
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

/** How long a stopping process waits for answers. */
const STOP_GRACE_MS = 3_000;

export function startEngine(deps: EngineDeps): Engine {
  const { deliveries, subscriptions, receivers, send, clock, backgroundWork, telemetry, leaseMs } = deps;
  const attempts = telemetry.meter.createCounter('parley_webhook_attempts_total');
  const givenUp = telemetry.meter.createCounter('parley_webhook_deliveries_failed_total');
  const firstDelay = telemetry.meter.createHistogram('parley_webhook_first_attempt_delay_seconds', { unit: 's' });
  telemetry.meter
    .createObservableGauge('parley_webhook_receivers')
    .addCallback((result) => result.observe(receivers.count()));
  const running = new Set<Promise<void>>();
  /** Of first attempts: a delivery is new only once. All results of one owner are one write. */
  const ownerOfNew = newId('lease');
  /** By lane: the latest attempt that was started here and has not ended. */
  const tryingOf = new Map<string, Promise<void>>();
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
  const nudge = () => {
    claims.wake();
    work.nudge();
  };
  receivers.onCapacity(nudge);
  if ('onMove' in clock) {
    clock.onMove(({ back }) => {
      nudge();
      if (!back || running.size === 0) return;
      // Attempts in progress may still use the time before the move.
      const pulling = backgroundWork.during(() => Promise.allSettled(running).then(() => work.pullBack()));
      pulling.catch((error: unknown) => telemetry.log.warn({ err: error }, 'due times not adjusted to the clock'));
    });
  }

  /** A due delivery: a retry, a first attempt without capacity, or one that a crashed process left. */
  async function processDue(delivery: Delivery, lease: DueLease, followed: boolean): Promise<void> {
    if (isSettled(delivery)) return record({ delivery, lease });
    const subscription = await subscriptions.current(delivery.subscriptionId);
    if (!subscription) return deliveries.remove(delivery.id);
    const permit = receivers.permit(subscription);
    try {
      await attempt({ delivery, lease, followed }, permit);
    } finally {
      permit.release();
    }
  }

  /**
   * The start is stored and the permit exists. The subscription is read after that, and its deletion checks
   * for permits after deleting: so one of the two sees the other, and nothing starts after the deletion was answered.
   */
  async function attempt(begun: Claimed, permit: RequestPermit, body?: string): Promise<void> {
    const { delivery, lease, followed = false } = begun;
    const subscription = await subscriptions.current(delivery.subscriptionId);
    if (!subscription) return deliveries.remove(delivery.id);
    if (!isDelivering(subscription) && !delivery.isTest)
      return suspendDelivery({ delivery: withdrawAttempt(delivery), lease });
    if (!(await permit.acquire())) return record({ delivery: withdrawAttempt(delivery), lease });
    if (delivery.attempts.length === 1) {
      firstDelay.record((clock.now().getTime() - delivery.createdAt.getTime()) / 1000);
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
    if (result === 'aborted' && permit.signal.reason === 'deleted') return;
    const now = clock.now();
    const recorded =
      result === 'aborted' ? recordInterruption(delivery, now) : recordAttempt(delivery, outcome, now, Math.random());
    await record({ delivery: recorded, lease, followed }, subscription);
  }

  /** `subscription`: of an attempt that was made here; then the next of the lane follows here as well. */
  async function record(claimed: Claimed, subscription?: Subscription): Promise<void> {
    const { status, subject, subscriptionId } = claimed.delivery;
    if (status === 'failed') givenUp.add(1);
    const followed = await deliveries.record(claimed);
    if (!followed || !isSettled(claimed.delivery) || subject === null) return;
    if (!subscription || !(await continueLane(subscription, subject))) await advanceLane(subscriptionId, subject);
  }

  /**
   * Starts the next attempt of a lane without the way through the search for due deliveries. False when it has to be made
   * due instead: here is no capacity for it.
   */
  async function continueLane(subscription: Subscription, subject: string): Promise<boolean> {
    const permit = stopped ? undefined : receivers.permitForNew(subscription);
    if (!permit) return false;
    let next: StoredDelivery | undefined;
    try {
      const now = clock.now();
      const lane = laneOf(subscription.id, subject);
      next = await deliveries.takeTurn(lane, leaseOfNew(), (waiting) => beginAttempt(takeTurn(waiting, now), now));
    } finally {
      if (!next) permit.release();
    }
    if (next) run({ delivery: toDelivery(next), lease: next.claim!, followed: next.followed, permit });
    return true;
  }

  const leaseOfNew = () => ({ owner: ownerOfNew, until: new Date(systemClock.now().getTime() + leaseMs) });

  function run(started: Started): void {
    const { lane } = started.delivery;
    const attempting: Promise<void> = backgroundWork
      .during(() => attempt(started, started.permit, started.body))
      .catch((error: unknown) =>
        telemetry.log.error({ err: error, delivery: started.delivery.id }, 'attempt failed; it is tried again'),
      )
      .finally(() => {
        started.permit.release();
        running.delete(attempting);
        if (lane !== null && tryingOf.get(lane) === attempting) tryingOf.delete(lane);
      });
    running.add(attempting);
    if (lane !== null) tryingOf.set(lane, attempting);
  }

  async function advanceLane(subscriptionId: string, subject: string): Promise<void> {
    const advanced = await deliveries.advanceLane(laneOf(subscriptionId, subject), dueIn(clock.now(), 0));
    if (advanced) nudge();
  }

  async function suspendDelivery({ delivery, lease }: Claimed): Promise<void> {
    await deliveries.record({ delivery: suspend(delivery), lease });
    // Resumed between the read of the subscription and this write: nothing else would make it due.
    const subscription = await subscriptions.current(delivery.subscriptionId);
    if (subscription && isDelivering(subscription)) await resume(delivery.subscriptionId);
  }

  async function resume(subscriptionId: string): Promise<void> {
    if ((await deliveries.resume(subscriptionId, dueIn(clock.now(), 0))) > 0) nudge();
  }

  /** A delivery is settled and its lane advanced in two steps; a process can crash in between. */
  async function sweepStuckLanes(): Promise<void> {
    for (const lane of await deliveries.stuckLanes(LANES_PER_SWEEP)) {
      if (await deliveries.advanceLane(lane, dueIn(clock.now(), 0))) nudge();
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
      return { delivery: beginAttempt(delivery, clock.now()), lease: leaseOfNew(), permit, body };
    },
    run,
    isTrying: (lane) => tryingOf.has(lane),
    nudge,
    advanceLane,
    resume,
    async stop() {
      stopped = true;
      clearInterval(sweeping);
      // What waits in this process is for another one to send: it could take longer than a stop may.
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
