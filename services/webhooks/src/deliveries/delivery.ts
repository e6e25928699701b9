import { hash } from 'node:crypto';
import { type Due, dueIn } from '@parley/errors';

type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'held';

/** One request to the receiver. */
export interface Attempt {
  readonly at: Date;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Null while it is in progress. */
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
  /** The event's public id, by which a receiver recognises it; absent for a test, and in what earlier versions stored. */
  readonly eventId?: string;
  /** The exact bytes of the request at the time of the event, encrypted. */
  readonly sealedBody: string;
  /** When the event happened. */
  readonly createdAt: Date;
  /** The trace that the event belongs to. */
  readonly traceparent: string | null;
  /** The call, contact or employee the event is about; events of one subject arrive in order. Null for tests. */
  readonly subject: string | null;
  /** The position of the event among its subject's events. */
  readonly position: number;
  /** Deliveries of one lane are sent one after the other; null when it is settled, held, or was retried manually. */
  readonly lane: string | null;
  readonly status: DeliveryStatus;
  /** Tests are sent also while the subscription is paused. */
  readonly isTest: boolean;
  /** When it is to be tried; null when nothing is planned. */
  readonly due: Due | null;
  /** The reason why a pending delivery has no planned attempt: its turn in the lane, or the end of a pause. */
  readonly waitsFor: 'turn' | 'resume' | null;
  /** Oldest first; only the latest are kept. */
  readonly attempts: readonly Attempt[];
  /** The remaining attempts of the current series; an attempt is counted when it starts, so that a crash never causes a seventh. */
  readonly attemptsLeft: number;
}

export interface Outcome {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly responseExcerpt: string | null;
  readonly retryAfter: string | null;
}

/** Six attempts over about seven and a half hours. */
const ATTEMPTS_MAX = 6;

/** The delays after the first, second, … failed attempt. */
const WAITS_SECS = [5, 5 * 60, 30 * 60, 2 * 60 * 60, 5 * 60 * 60];

/** Jitter: waits are extended by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/** A receiver may request a longer wait, up to this limit. */
const RETRY_AFTER_SECS_MAX = 24 * 60 * 60;

/** Five series; more than four manual retries remove the oldest attempts from the log. */
const ATTEMPTS_KEPT_MAX = 5 * ATTEMPTS_MAX;

type NewDelivery = Pick<
  Delivery,
  'id' | 'companyId' | 'subscriptionId' | 'event' | 'eventId' | 'sealedBody' | 'createdAt' | 'traceparent'
>;

/** A new delivery in a lane. */
export type NewInLane = NewDelivery & { readonly subject: string; readonly position: number };

/** 128 bits in hexadecimal: the shape of every other id. */
const ID_LENGTH = 32;
/** One fact can be several events; their order is that of the payloads. */
const EVENTS_PER_FACT_MAX = 10;

const unsent = { isTest: false, due: null, waitsFor: null, attempts: [], attemptsLeft: ATTEMPTS_MAX } as const;

/**
 * The same event for the same subscription always has the same id, so that an event that arrives again finds its
 * delivery there. It cannot be guessed: the event's own id is not public.
 */
export function deliveryId(eventId: string, eventType: string, subscriptionId: string): string {
  return `whd_${hash('sha256', `${eventId}/${eventType}/${subscriptionId}`).slice(0, ID_LENGTH)}`;
}

/** The position of the nth event of a fact among its subject's events; sequences of facts begin with 1. */
export function positionOf(sequence: number, nth: number): number {
  return sequence * EVENTS_PER_FACT_MAX + nth;
}

/** True when nothing can be before a position but what is settled: sequences have no gaps, whoever has stored them. */
export function isNextFact(lastSettled: number | undefined, position: number): boolean {
  const sequenceOf = (at: number) => Math.floor(at / EVENTS_PER_FACT_MAX);
  if (lastSettled === undefined) return position === positionOf(1, 0);
  return sequenceOf(lastSettled) + 1 === sequenceOf(position);
}

/** The lane of one subject's events to one subscription. */
export function laneOf(subscriptionId: string, subject: string): string {
  return `${subscriptionId}/${subject}`;
}

/**
 * An event for a subscription: due now if no delivery of its subject is in progress, otherwise it waits; held,
 * when the subscription is paused, until it is retried.
 */
export function newDelivery(
  given: NewInLane,
  { paused, laneFree }: { paused: boolean; laneFree: boolean },
  now: Date,
): Delivery {
  if (paused) return { ...given, ...unsent, lane: null, status: 'held' };
  const lane = laneOf(given.subscriptionId, given.subject);
  const plan = laneFree ? { due: dueIn(now, 0) } : { waitsFor: 'turn' as const };
  return { ...given, ...unsent, lane, status: 'pending', ...plan };
}

/** A delivery of a test event, due now. */
export function newTestDelivery(given: NewDelivery, now: Date): Delivery {
  const due = dueIn(now, 0);
  return { ...given, ...unsent, subject: null, position: 0, lane: null, status: 'pending', isTest: true, due };
}

/** An event that is sent again at somebody's wish: now, whatever its subject's other events do. */
export function newExtraDelivery(
  given: NewDelivery & Pick<Delivery, 'subject'>,
  { paused }: { paused: boolean },
  now: Date,
): Delivery {
  const unplaced = { ...given, ...unsent, position: 0, lane: null };
  return paused ? { ...unplaced, status: 'held' } : { ...unplaced, status: 'pending', due: dueIn(now, 0) };
}

/** The one before it in the lane is settled. */
export function takeTurn(delivery: Delivery, now: Date): Delivery {
  return { ...delivery, due: dueIn(now, 0), waitsFor: null };
}

/**
 * Deliveries of one lane are claimed together, to be sent one after the other: only the first is due, so that after a crash
 * none overtakes another. One that a crashed process had claimed so was not sent, because the one before it was not settled.
 */
export function beginTurns(waiting: readonly Delivery[], now: Date): Delivery[] {
  return waiting.map((delivery, index) => {
    const begun = beginAttempt(isUnderWay(delivery) ? withdrawAttempt(delivery) : delivery, now);
    return index === 0 ? takeTurn(begun, now) : begun;
  });
}

/** It waits for its turn again. */
export function returnTurn(delivery: Delivery): Delivery {
  return { ...withdrawAttempt(delivery), due: null, waitsFor: 'turn' };
}

/** It is due, but its subscription is paused: it continues after the resume. */
export function suspend(delivery: Delivery): Delivery {
  return delivery.isTest ? delivery : { ...delivery, due: null, waitsFor: 'resume' };
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

/** An attempt that has waited since it was stored begins now. */
export function sendNow(delivery: Delivery, now: Date): Delivery {
  return { ...delivery, attempts: delivery.attempts.with(-1, { ...delivery.attempts.at(-1)!, at: now }) };
}

/** The request was not made after all. */
export function withdrawAttempt(delivery: Delivery): Delivery {
  return { ...delivery, attempts: delivery.attempts.slice(0, -1), attemptsLeft: delivery.attemptsLeft + 1 };
}

/** Writes down how the request went, and what follows from it. `random` is from 0 to 1. */
export function recordAttempt(delivery: Delivery, outcome: Outcome, now: Date, random: number): Delivery {
  const { retryAfter, ...result } = outcome;
  const recorded = { ...delivery, attempts: finishLast(delivery.attempts, result) };
  if (isSuccess(outcome.statusCode)) return settle(recorded, 'delivered');
  const due = nextAttempt(ATTEMPTS_MAX - delivery.attemptsLeft, retryAfter, now, random);
  return due ? { ...recorded, due } : settle(recorded, 'failed');
}

/**
 * The process that made the last request ended before it knew the answer. The request counts, because the receiver may
 * have received it, but the failure was not the receiver's, so the next attempt does not wait.
 */
export function recordInterruption(delivery: Delivery, now: Date): Delivery {
  const begun = delivery.attempts.at(-1);
  if (begun?.durationMs !== null) return delivery;
  const durationMs = Math.max(0, now.getTime() - begun.at.getTime());
  const outcome = { statusCode: null, error: 'the sender was interrupted', durationMs, responseExcerpt: null };
  const recorded = { ...delivery, attempts: finishLast(delivery.attempts, outcome) };
  return delivery.attemptsLeft > 0 ? { ...recorded, due: dueIn(now, 0) } : settle(recorded, 'failed');
}

/** A manual retry: a finished or held delivery starts a new series, a scheduled one becomes due. */
export function retryManually(delivery: Delivery, now: Date): Delivery {
  const due = dueIn(now, 0);
  if (delivery.status !== 'pending') return { ...delivery, status: 'pending', due, attemptsLeft: ATTEMPTS_MAX };
  // Without a plan it waits for an earlier event of its subject or for a resume, and those come first.
  return delivery.due && !isUnderWay(delivery) ? { ...delivery, due } : delivery;
}

/** One of many that are sent again: a new series, in the order of its subject's events. */
export function retryInOrder(delivery: Delivery, now: Date): Delivery {
  const { subscriptionId, subject } = delivery;
  if (subject === null || delivery.position === 0) return retryManually(delivery, now);
  const lane = laneOf(subscriptionId, subject);
  return { ...delivery, status: 'pending', lane, due: null, waitsFor: 'turn', attemptsLeft: ATTEMPTS_MAX };
}

/** True when nothing more will be sent without a manual retry. */
export function isSettled({ status }: Delivery): boolean {
  return status !== 'pending';
}

export function isUnderWay({ attempts }: Pick<Delivery, 'attempts'>): boolean {
  return attempts.at(-1)?.durationMs === null;
}

export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

function settle(delivery: Delivery, status: 'delivered' | 'failed'): Delivery {
  return { ...delivery, status, due: null, lane: null };
}

function finishLast(attempts: readonly Attempt[], result: Omit<Attempt, 'at'>): Attempt[] {
  return attempts.map((attempt, index) => (index === attempts.length - 1 ? { ...attempt, ...result } : attempt));
}

/**
 * When the attempt after `attemptsMade` failed ones is due; null when there is none. `Retry-After` is a shortest wait
 * (RFC 9110 section 10.2.3), so it can lengthen the wait, but not shorten it. `random` is from 0 to 1.
 */
export function nextAttempt(attemptsMade: number, retryAfter: string | null, now: Date, random: number): Due | null {
  const waitSecs = WAITS_SECS[attemptsMade - 1];
  if (waitSecs === undefined) return null;
  const requested = Math.min(retryAfterMs(retryAfter, now), RETRY_AFTER_SECS_MAX * 1000);
  return dueIn(now, Math.max(Math.round(waitSecs * 1000 * (1 + JITTER * random)), requested));
}

/** Seconds or an HTTP date, in each of the three formats of RFC 9110 section 5.6.7; 0 when it is neither. */
function retryAfterMs(text: string | null, now: Date): number {
  const value = text?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(value)) return 0;
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
