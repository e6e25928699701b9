import { describe, expect, it } from '@jest/globals';
import {
  beginAttempt,
  cancel,
  type Delivery,
  newDelivery,
  newTestDelivery,
  type Outcome,
  recordAttempt,
  recordInterruption,
  resume,
  retryByHand,
  suspend,
} from './delivery.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const later = (secs: number) => new Date(now.getTime() + secs * 1000);
const given = {
  id: 'whd_1',
  companyId: 'com_1',
  subscriptionId: 'whk_1',
  event: 'contact.created',
  body: '{}',
  createdAt: now,
};
const dueNow = { at: now, waitMs: 0 };
const pending: Delivery = { ...newDelivery(given, { active: true }), due: dueNow };

function outcome(statusCode: number | null, more: Partial<Outcome> = {}): Outcome {
  const error = statusCode === null ? 'no answer within 15 s' : null;
  return { statusCode, error, durationMs: 12, responseExcerpt: null, retryAfter: null, ...more };
}

const attempted = (delivery: Delivery, statusCode: number | null, at = now) =>
  recordAttempt(beginAttempt(delivery, at), outcome(statusCode), at, 0);

function afterFailures(count: number): Delivery {
  return Array.from({ length: count }).reduce<Delivery>((delivery) => attempted(delivery, 500), pending);
}

describe('a new delivery', () => {
  it('waits for its turn', () => {
    expect(newDelivery(given, { active: true })).toMatchObject({ status: 'pending', due: null, attempts: [] });
  });

  it('is held while its subscription is paused, and stays held when it is resumed', () => {
    const held = newDelivery(given, { active: false });
    expect(held).toMatchObject({ status: 'held', due: null });
    expect(resume(held, now)).toEqual(held);
  });

  it('of a test event is due at once and is not stopped by a pause', () => {
    const test = newTestDelivery(given, now);
    expect(test).toMatchObject({ status: 'pending', due: dueNow });
    expect(suspend(test)).toEqual(test);
  });
});

describe('an attempt', () => {
  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [299, 'delivered'],
    [199, 'pending'],
    [300, 'pending'],
    [301, 'pending'],
    [307, 'pending'],
    [400, 'pending'],
    [404, 'pending'],
    [410, 'pending'],
    [429, 'pending'],
    [500, 'pending'],
    [null, 'pending'],
  ])('answered with %s leaves the delivery %s', (statusCode, status) => {
    const after = attempted(pending, statusCode);
    expect(after.status).toBe(status);
    expect(after.due).toEqual(status === 'delivered' ? null : { at: later(5), waitMs: 5_000 });
  });

  it('is in the log from its beginning, and its outcome joins it', () => {
    const begun = beginAttempt(pending, now);
    expect(begun.attempts).toEqual([
      { at: now, statusCode: null, error: null, durationMs: null, responseExcerpt: null },
    ]);
    const after = recordAttempt(begun, outcome(503, { responseExcerpt: 'busy' }), later(1), 0);
    expect(after.attempts).toEqual([
      { at: now, statusCode: 503, error: null, durationMs: 12, responseExcerpt: 'busy' },
    ]);
  });

  it.each([
    [1, 5],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 18_000],
  ])('that is failure number %i is followed by another after %i s', (count, secs) => {
    expect(afterFailures(count)).toMatchObject({ status: 'pending', due: { at: later(secs) } });
  });

  it('that is failure number six is the last', () => {
    expect(afterFailures(6)).toMatchObject({ status: 'failed', due: null, attemptsLeft: 0 });
    expect(afterFailures(6).attempts).toHaveLength(6);
  });

  it('can be the sixth and still deliver', () => {
    expect(attempted(afterFailures(5), 200)).toMatchObject({ status: 'delivered', due: null });
  });

  it('is followed as late as the receiver asks', () => {
    const after = recordAttempt(beginAttempt(pending, now), outcome(429, { retryAfter: '120' }), now, 0);
    expect(after.due).toEqual({ at: later(120), waitMs: 120_000 });
  });

  it('that was open when its subscription was deleted plans nothing', () => {
    const after = recordAttempt(cancel(beginAttempt(pending, now)), outcome(500), now, 0);
    expect(after).toMatchObject({ status: 'failed', due: null, attempts: [{ statusCode: 500 }] });
  });
});

describe('an interrupted attempt', () => {
  it('counts, and the next one follows at once', () => {
    const after = recordInterruption(beginAttempt(afterFailures(2), now), later(20));
    expect(after).toMatchObject({ status: 'pending', due: { at: later(20), waitMs: 0 }, attemptsLeft: 3 });
    expect(after.attempts.at(-1)).toMatchObject({
      error: 'the sender was interrupted',
      durationMs: 20_000,
      statusCode: null,
    });
  });

  it('never makes a seventh', () => {
    expect(recordInterruption(beginAttempt(afterFailures(5), now), now)).toMatchObject({ status: 'failed', due: null });
  });

  it('is nothing when no attempt was open', () => {
    expect(recordInterruption(pending, now)).toEqual(pending);
    expect(recordInterruption(afterFailures(1), now)).toEqual(afterFailures(1));
  });

  it('plans nothing when the delivery was cancelled', () => {
    expect(recordInterruption(cancel(beginAttempt(pending, now)), now)).toMatchObject({ status: 'failed', due: null });
  });
});

describe('a pause', () => {
  it('stops what comes due, and the resume lets it go on where it was', () => {
    const stopped = suspend(afterFailures(2));
    expect(stopped).toMatchObject({ status: 'pending', due: null, attemptsLeft: 4 });
    expect(resume(stopped, later(999))).toMatchObject({ status: 'pending', due: { at: later(999) }, attemptsLeft: 4 });
  });

  it('leaves plans alone that end after it', () => {
    expect(resume(afterFailures(2), later(1))).toEqual(afterFailures(2));
  });

  it.each(['delivered', 'failed', 'held'] as const)('does not wake what is %s', (status) => {
    const delivery = { ...pending, status, due: null };
    expect(resume(delivery, now)).toEqual(delivery);
  });
});

describe('a retry by hand', () => {
  it.each([
    ['failed', afterFailures(6)],
    ['delivered', attempted(pending, 200)],
    ['held', newDelivery(given, { active: false })],
  ])('of a %s delivery begins a new round and keeps the log', (_, delivery) => {
    const again = retryByHand(delivery, later(60));
    expect(again).toMatchObject({ status: 'pending', due: { at: later(60), waitMs: 0 }, attemptsLeft: 6 });
    expect(again.attempts).toEqual(delivery.attempts);
  });

  it('of a delivery between two attempts does not wait for the second, and does not add attempts', () => {
    expect(retryByHand(afterFailures(3), now)).toMatchObject({ due: dueNow, attemptsLeft: 3 });
  });

  it('of a delivery that waits for an earlier event changes nothing', () => {
    const waiting = newDelivery(given, { active: true });
    expect(retryByHand(waiting, now)).toEqual(waiting);
  });

  it('again and again does not make the log grow for ever', () => {
    let delivery = pending;
    for (let round = 0; round < 20; round += 1) {
      delivery = retryByHand(delivery, now);
      for (let n = 0; n < 6; n += 1) delivery = attempted(delivery, 500);
    }
    expect(delivery).toMatchObject({ status: 'failed', attemptsLeft: 0 });
    expect(delivery.attempts).toHaveLength(30);
  });
});

describe('cancelling', () => {
  it('ends what is pending and leaves the rest', () => {
    expect(cancel(afterFailures(2))).toMatchObject({ status: 'failed', due: null });
    expect(cancel(attempted(pending, 200)).status).toBe('delivered');
    expect(cancel(newDelivery(given, { active: false })).status).toBe('held');
  });
});
