import type { Due } from '@parley/store';
import { ATTEMPTS_MAX, dueAfter, nextAttempt } from './schedule.ts';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'held';

/** One request to the receiver. */
export interface Attempt {
  readonly at: Date;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Null while it is under way. */
  readonly durationMs: number | null;
  readonly responseExcerpt: string | null;
}

/** One event for one subscription. */
export interface Delivery {
  /** Also the `webhook-id` of every attempt. */
  readonly id: string;
  readonly companyId: string;
  readonly subscriptionId: string;
  /** The event type as the subscriber named it. */
  readonly event: string;
  /** What is sent, to the byte: taken when the event happened. */
  readonly body: string;
  /** When the event happened. */
  readonly createdAt: Date;
  readonly status: DeliveryStatus;
  /** Tests are sent also while the subscription is paused. */
  readonly isTest: boolean;
  /** Null when nothing is planned: it is finished, held, or waits for its turn or for the end of a pause. */
  readonly due: Due | null;
  /** Oldest first; only the latest are kept. */
  readonly attempts: readonly Attempt[];
  /** How many the present round has left; an attempt is counted when it begins, so that no crash makes a seventh. */
  readonly attemptsLeft: number;
}

/** How an attempt went. */
export interface Outcome {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly responseExcerpt: string | null;
  readonly retryAfter: string | null;
}

/** Five rounds; asking for more than four retries by hand loses the oldest attempts from the log. */
const ATTEMPTS_KEPT_MAX = 5 * ATTEMPTS_MAX;

type NewDelivery = Pick<Delivery, 'id' | 'companyId' | 'subscriptionId' | 'event' | 'body' | 'createdAt'>;

/** A delivery that waits for its turn, or, when its subscription is paused, to be asked for. */
export function newDelivery(given: NewDelivery, subscription: { active: boolean }): Delivery {
  const status = subscription.active ? 'pending' : 'held';
  return { ...given, status, isTest: false, due: null, attempts: [], attemptsLeft: ATTEMPTS_MAX };
}

/** A delivery of a test event, due now. */
export function newTestDelivery(given: NewDelivery, now: Date): Delivery {
  const due = dueAfter(now, 0);
  return { ...given, status: 'pending', isTest: true, due, attempts: [], attemptsLeft: ATTEMPTS_MAX };
}

/** It is due, but its subscription is paused: it goes on after the resume. */
export function suspend(delivery: Delivery): Delivery {
  return delivery.isTest ? delivery : { ...delivery, due: null };
}

/** Its turn has come, or its subscription is active again. What still waits for a planned time goes on waiting. */
export function resume(delivery: Delivery, now: Date): Delivery {
  return delivery.status === 'pending' && !delivery.due ? { ...delivery, due: dueAfter(now, 0) } : delivery;
}

/** Writes down that a request is about to be made. */
export function beginAttempt(delivery: Delivery, now: Date): Delivery {
  const attempt = { at: now, statusCode: null, error: null, durationMs: null, responseExcerpt: null };
  return {
    ...delivery,
    attempts: [...delivery.attempts, attempt].slice(-ATTEMPTS_KEPT_MAX),
    attemptsLeft: delivery.attemptsLeft - 1,
  };
}

/** Writes down how the request went, and what follows from it. `random` is from 0 to 1. */
export function recordAttempt(delivery: Delivery, outcome: Outcome, now: Date, random: number): Delivery {
  const { retryAfter, ...result } = outcome;
  const recorded = { ...delivery, attempts: finishLast(delivery.attempts, result) };
  if (isSuccess(outcome)) return { ...recorded, status: 'delivered', due: null };
  // Ended, by hand or with its subscription, while the request was open.
  if (delivery.status !== 'pending') return recorded;
  const due =
    delivery.attemptsLeft > 0 ? nextAttempt(ATTEMPTS_MAX - delivery.attemptsLeft, retryAfter, now, random) : null;
  return { ...recorded, status: due ? 'pending' : 'failed', due };
}

/**
 * The process that made the last request died before it knew the answer. The request counts, because the receiver may
 * have had it, but the wait before the next one would be for a failure that was ours.
 */
export function recordInterruption(delivery: Delivery, now: Date): Delivery {
  const begun = delivery.attempts.at(-1);
  if (begun?.durationMs !== null) return delivery;
  const durationMs = Math.max(0, now.getTime() - begun.at.getTime());
  const outcome = { statusCode: null, error: 'the sender was interrupted', durationMs, responseExcerpt: null };
  const recorded = { ...delivery, attempts: finishLast(delivery.attempts, outcome) };
  if (delivery.status !== 'pending') return recorded;
  return delivery.attemptsLeft > 0
    ? { ...recorded, due: dueAfter(now, 0) }
    : { ...recorded, status: 'failed', due: null };
}

/** Someone asks for it: what is finished or held starts a new round, what is under way does not wait for its time. */
export function retryByHand(delivery: Delivery, now: Date): Delivery {
  const due = dueAfter(now, 0);
  if (delivery.status !== 'pending') return { ...delivery, status: 'pending', due, attemptsLeft: ATTEMPTS_MAX };
  // Without a plan it waits for an earlier event of the same thing, and order goes before haste.
  return delivery.due ? { ...delivery, due } : delivery;
}

/** Its subscription is gone. */
export function cancel(delivery: Delivery): Delivery {
  return delivery.status === 'pending' ? { ...delivery, status: 'failed', due: null } : delivery;
}

function isSuccess({ statusCode }: Outcome): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

function finishLast(attempts: readonly Attempt[], result: Omit<Attempt, 'at'>): Attempt[] {
  return attempts.map((attempt, index) => (index === attempts.length - 1 ? { ...attempt, ...result } : attempt));
}
