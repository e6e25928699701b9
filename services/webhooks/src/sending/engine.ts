import { type Activity, type Clock, type MovableClock, systemClock } from '@parley/clock';
import { newId } from '@parley/ids';
import { type DueLease, dueIn, startDueWork } from '@parley/store';
import { contextFrom, SpanKind, type Telemetry } from '@parley/telemetry';
import {
  beginAttempt,
  type Delivery,
  isSettled,
  laneOf,
  recordAttempt,
  recordInterruption,
  suspend,
  withdrawAttempt,
} from '../deliveries/delivery.ts';
import { type Claimed, type Deliveries, toDelivery } from '../deliveries/delivery-store.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Place, Receivers } from './receivers.ts';
import type { Send } from './send.ts';
import { takeTurns } from './take-turns.ts';

/** Longer than an attempt takes, its time limit of 15 s and the writes around it: past it, the attempt was interrupted. */
const LEASE_MS = 25_000;

/** Begun and not yet on its way. */
export interface Started extends Claimed {
  readonly lease: DueLease;
  readonly place: Place;
}

export interface Engine {
  /** Begins a new delivery's first attempt in the very write that stores it; undefined when the receiver has no place. */
  start(delivery: Delivery, subscription: Subscription): Started | undefined;
  /** Carries a started attempt out; its end is recorded, not awaited here. */
  carryOut(started: Started): void;
  /** Something is due now. */
  nudge(): void;
  /** Lets the next of a subject's events go, if the one before is settled. */
  moveLaneOn(subscriptionId: string, subject: string): Promise<void>;
  /** Lets go what waited for the end of a pause. */
  resume(subscriptionId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface EngineDeps {
  readonly deliveries: Deliveries;
  readonly subscriptions: Subscriptions;
  readonly receivers: Receivers;
  readonly send: Send;
  readonly clock: Clock | MovableClock;
  readonly activity: Activity;
  readonly telemetry: Telemetry;
  readonly requestsMax: number;
}

/** How long a stopping process waits for answers. */
const STOP_GRACE_MS = 3_000;

export function startEngine(deps: EngineDeps): Engine {
  const { deliveries, subscriptions, receivers, send, clock, activity, telemetry } = deps;
  const attempts = telemetry.meter.createCounter('parley_webhook_attempts_total');
  const givenUp = telemetry.meter.createCounter('parley_webhook_deliveries_failed_total');
  const running = new Set<Promise<void>>();
  let stopped = false;

  const work = startDueWork({
    name: 'webhook deliveries',
    collection: deliveries.collection,
    clock,
    activity,
    log: telemetry.log,
    concurrency: deps.requestsMax,
    leaseMs: LEASE_MS,
    take: takeTurns(deliveries.collection, receivers),
    handle: (stored, owner) =>
      takeUp({ delivery: toDelivery(stored), lease: { owner, until: stored.dueLease!.until } }),
  });
  receivers.onRoom(() => work.nudge());

  /** A delivery whose time has come: a retry, a first attempt that found no place, or what a dead process left. */
  async function takeUp({ delivery: found, lease }: Claimed & { lease: DueLease }): Promise<void> {
    if (isSettled(found)) return finish(found);
    const delivery = recordInterruption(found, clock.now());
    const claimed = { delivery, lease };
    if (isSettled(delivery)) return settle(claimed);
    const subscription = await subscriptions.current(delivery.subscriptionId);
    if (!subscription) return deliveries.remove(delivery.id);
    if (!subscription.active && !delivery.isTest) return park(claimed);
    const place = receivers.take(subscription);
    if (!place) return deliveries.release(claimed);
    try {
      const begun = { delivery: beginAttempt(delivery, clock.now()), lease };
      if (await deliveries.begin(begun)) await attempt(begun, place);
    } finally {
      place.release();
    }
  }

  /**
   * The beginning is written down by now. The subscription is read after that, and whoever deletes it looks for what has
   * begun after deleting: so one of the two sees the other, and nothing starts after the deletion was answered.
   */
  async function attempt(begun: Claimed, place: Place): Promise<void> {
    const { delivery, lease } = begun;
    const subscription = await subscriptions.current(delivery.subscriptionId);
    if (!subscription) return deliveries.remove(delivery.id);
    if (!subscription.active && !delivery.isTest) return park({ delivery: withdrawAttempt(delivery), lease });
    const { outcome, ending } = await telemetry.span(
      'deliver webhook',
      {
        kind: SpanKind.CLIENT,
        parent: contextFrom(delivery.traceparent ?? undefined),
        attributes: { 'parley.webhook.delivery': delivery.id, 'parley.webhook.event': delivery.event },
      },
      async (span) => {
        const sent = await send(delivery, subscription, place.signal);
        span.setAttribute('parley.webhook.outcome', sent.ending);
        if (sent.outcome.statusCode !== null) span.setAttribute('http.response.status_code', sent.outcome.statusCode);
        return sent;
      },
    );
    attempts.add(1, { outcome: ending });
    if (ending === 'aborted' && place.signal.reason === 'deleted') return;
    const now = clock.now();
    const recorded =
      ending === 'aborted' ? recordInterruption(delivery, now) : recordAttempt(delivery, outcome, now, Math.random());
    await settle({ delivery: recorded, lease });
  }

  async function settle({ delivery, lease }: Claimed): Promise<void> {
    const settled = isSettled(delivery);
    if (delivery.status === 'failed') givenUp.add(1);
    await deliveries.record({ delivery, lease }, settled && delivery.subject !== null);
    if (settled) await finish(delivery);
  }

  /** Settled, but still claimed until the next of its lane is on its way: a crash in between is repaired by the next claim. */
  async function finish(delivery: Delivery): Promise<void> {
    if (delivery.subject !== null) await moveLaneOn(delivery.subscriptionId, delivery.subject);
    await deliveries.close(delivery.id);
  }

  async function moveLaneOn(subscriptionId: string, subject: string): Promise<void> {
    const woken = await deliveries.moveLaneOn(laneOf(subscriptionId, subject), dueIn(clock.now(), 0));
    if (woken) work.nudge();
  }

  async function park({ delivery, lease }: Claimed): Promise<void> {
    await deliveries.record({ delivery: suspend(delivery), lease }, false);
    // Resumed between our look at the subscription and this write: nobody else would wake it.
    if ((await subscriptions.current(delivery.subscriptionId))?.active) await resume(delivery.subscriptionId);
  }

  async function resume(subscriptionId: string): Promise<void> {
    if ((await deliveries.resume(subscriptionId, dueIn(clock.now(), 0))) > 0) work.nudge();
  }

  return {
    start(delivery, subscription) {
      const place = stopped ? undefined : receivers.takeFresh(subscription);
      if (!place) return undefined;
      const lease = { owner: newId('lease'), until: new Date(systemClock.now().getTime() + LEASE_MS) };
      return { delivery: beginAttempt(delivery, clock.now()), lease, place };
    },
    carryOut(started) {
      const carried: Promise<void> = activity
        .during(() => attempt(started, started.place))
        .catch((error: unknown) =>
          telemetry.log.error({ err: error, delivery: started.delivery.id }, 'attempt failed; it is tried again'),
        )
        .finally(() => {
          started.place.release();
          running.delete(carried);
        });
      running.add(carried);
    },
    nudge: () => work.nudge(),
    moveLaneOn,
    resume,
    async stop() {
      stopped = true;
      const answered = Promise.all([work.stop(), ...running]);
      const abort = setTimeout(() => void receivers.abort('stopping'), STOP_GRACE_MS);
      await answered;
      clearTimeout(abort);
    },
  };
}
