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
  returnTurn,
  sendNow,
  suspend,
  takeTurn,
  withdrawAttempt,
} from '../deliveries/delivery.ts';
import { type Claimed, type Deliveries, toDelivery } from '../deliveries/delivery-store.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { isDelivering, type Subscription } from '../subscriptions/subscription.ts';
import type { Receivers, RequestPermit } from './receivers.ts';
import type { Send } from './send.ts';
import { openDueClaims } from './due-claims.ts';

const CLAIMED_MAX = 5_000;

/** The interval of the search for lanes that a dead process did not advance. */
const LANE_SWEEP_MS = 10_000;
const LANES_PER_SWEEP = 1000;

/** The deliveries of a lane that are claimed by one write, to be sent one after the other. */
const TURNS_MAX = 20;
/** The share of a lease in which the turns claimed under it may be sent; an attempt fits in the rest. */
const TURNS_SHARE = 0.4;

/** An attempt that begins in the write that stores its delivery. */
export interface Started extends Claimed {
  readonly permit: RequestPermit;
  /** The decrypted body, where it is known. */
  readonly body?: string;
  /** The subscription as it was when the permit was made, or a moment before; otherwise the attempt reads it. */
  readonly subscription?: Promise<Subscription | undefined>;
}

/** The deliveries of a lane that this process sends now, one after the other. */
interface LaneRun {
  /** Another delivery was stored in the lane since it was last read. */
  hasMore: boolean;
}

/** An attempt that was made. */
interface Made extends Claimed {
  readonly subscription: Subscription;
}

export interface Engine {
  /** Starts a new delivery's first attempt in the write that stores it; undefined when the receiver has no capacity. */
  start(delivery: Delivery, subscription: Subscription, body: string): Started | undefined;
  /** Makes a started attempt; its end is recorded, not awaited here. */
  run(started: Started): void;
  /** True while this process sends a delivery of the lane. */
  isTrying(lane: string): boolean;
  /** A delivery was stored that waits for its turn: the process that sends those before it searches for it. */
  addWaiting(subscriptionId: string, subject: string): Promise<void>;
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
  /** The runs of this process, keyed by lane. */
  const runs = new Map<string, LaneRun>();
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
  async function processDue(delivery: Delivery, lease: DueLease, followed: boolean): Promise<void> {
    if (isSettled(delivery)) return settleUnsent({ delivery, lease, followed });
    const subscription = await subscriptions.recent(delivery.companyId, delivery.subscriptionId);
    if (!subscription) return deliveries.remove(delivery.id);
    await deliver({ delivery, lease, followed, permit: receivers.permit(subscription) });
  }

  /** One without attempts left, after a crash in its last one. */
  async function settleUnsent(claimed: Claimed): Promise<void> {
    const { subscriptionId, subject } = claimed.delivery;
    if ((await record(claimed)) && subject !== null) await advanceLane(subscriptionId, subject);
  }

  /** Makes an attempt, and those of the deliveries that wait behind it in its lane. */
  async function deliver(started: Started): Promise<void> {
    const { lane, subject, subscriptionId } = started.delivery;
    if (lane === null || subject === null) {
      const made = await attempt(started);
      return made && void (await record(made));
    }
    const run: LaneRun = { hasMore: false };
    runs.set(lane, run);
    try {
      await sendLane(started, run, lane);
    } finally {
      if (runs.get(lane) === run) runs.delete(lane);
    }
    // Stored since the last look, with this run as the one that would look again.
    if (run.hasMore) await addWaiting(subscriptionId, subject);
  }

  async function sendLane(first: Started, run: LaneRun, lane: string): Promise<void> {
    const made = await attempt(first);
    if (!made) return;
    const mayBeFollowed = await record({ ...made, followed: made.followed || run.hasMore });
    if (!isSettled(made.delivery) || !(mayBeFollowed || run.hasMore)) return;
    for (let isSent = true; isSent;) {
      run.hasMore = false;
      const turns = await deliveries.takeTurns(lane, leaseOfNew(), TURNS_MAX, clock.now());
      if (turns.length === 0 && !run.hasMore) return;
      isSent = await sendTurns(turns, made.subscription);
    }
  }

  /** Sends deliveries of a lane one after the other; false when one is not settled or has to be sent later. */
  async function sendTurns(turns: readonly Claimed[], subscription: Subscription): Promise<boolean> {
    const untilMs = performance.now() + leaseMs * TURNS_SHARE;
    let recording: Promise<unknown> | undefined;
    for (const [index, turn] of turns.entries()) {
      const isInTime = !stopped && performance.now() < untilMs;
      const permit = isInTime ? receivers.permitForNew(subscription) : undefined;
      if (!permit) {
        await recording;
        await returnTurns(turns.slice(index));
        await advanceLane(subscription.id, turn.delivery.subject!);
        return false;
      }
      // The one before is recorded first: after a crash it is not sent again behind this one.
      const delivery = takeTurn(turn.delivery, clock.now());
      const made = await attempt({ ...turn, delivery, permit }, recording);
      recording = made && record({ ...made, followed: true });
      if (made && isSettled(made.delivery)) continue;
      await recording;
      await returnTurns(turns.slice(index + 1));
      return false;
    }
    await recording;
    return true;
  }

  async function returnTurns(turns: readonly Claimed[]): Promise<void> {
    const returned = turns.map(({ delivery, lease }) => ({ delivery: returnTurn(delivery), lease }));
    await Promise.all(returned.map(deliveries.record));
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

  const leaseOfNew = () => ({ owner: ownerOfNew, until: new Date(systemClock.now().getTime() + leaseMs) });

  function run(started: Started): void {
    const delivering: Promise<void> = backgroundWork
      .during(() => deliver(started))
      .catch((error: unknown) =>
        telemetry.log.error({ err: error, delivery: started.delivery.id }, 'attempt failed; it is tried again'),
      )
      .finally(() => running.delete(delivering));
    running.add(delivering);
  }

  async function addWaiting(subscriptionId: string, subject: string): Promise<void> {
    const lane = laneOf(subscriptionId, subject);
    const here = runs.get(lane);
    if (here) here.hasMore = true;
    // Without one that is being tried, the previous one may have been settled before this one was stored.
    else if (!(await deliveries.follow(lane))) await advanceLane(subscriptionId, subject);
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
    isTrying: (lane) => runs.has(lane),
    addWaiting,
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
