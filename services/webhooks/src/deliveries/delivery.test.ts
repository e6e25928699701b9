import { describe, expect, it } from '@jest/globals';
import {
  beginAttempt,
  beginTurns,
  type Delivery,
  isSettled,
  isUnderWay,
  newDelivery,
  newExtraDelivery,
  newTestDelivery,
  nextAttempt,
  type Outcome,
  recordAttempt,
  recordInterruption,
  retryInOrder,
  retryManually,
  returnTurn,
  suspend,
  withdrawAttempt,
} from './delivery.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const later = (secs: number) => new Date(now.getTime() + secs * 1000);
const given = {
  id: 'whd_1',
  companyId: 'com_1',
  subscriptionId: 'whk_1',
  event: 'contact.created',
  sealedBody: '{}',
  createdAt: now,
  traceparent: null,
};
const ofContact = { ...given, subject: 'con_1', position: 10 };
const dueNow = { at: now, waitMs: 0 };
const free = { paused: false, laneFree: true };
const pending = newDelivery(ofContact, free, now);
const waiting = newDelivery(ofContact, { paused: false, laneFree: false }, now);
const held = newDelivery(ofContact, { paused: true, laneFree: true }, now);

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
  it('a new delivery is due immediately when no delivery of its subject is in progress', () => {
    expect(pending).toMatchObject({
      status: 'pending',
      due: dueNow,
      waitsFor: null,
      lane: 'whk_1/con_1',
      attempts: [],
    });
  });

  it('a new delivery waits for its turn behind an earlier event of its subject', () => {
    expect(waiting).toMatchObject({ status: 'pending', due: null, waitsFor: 'turn', lane: 'whk_1/con_1' });
  });

  it('a new delivery is held while its subscription is paused, without delaying others', () => {
    expect(held).toMatchObject({ status: 'held', due: null, waitsFor: null, lane: null });
  });

  it('a new delivery of a test event is due at once and is not stopped by a pause', () => {
    const test = newTestDelivery(given, now);
    expect(test).toMatchObject({ status: 'pending', due: dueNow, lane: null });
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
  ])('an attempt answered with %s leaves the delivery %s', (statusCode, status) => {
    const after = attempted(pending, statusCode);
    expect(after.status).toBe(status);
    expect(after.due).toEqual(status === 'delivered' ? null : { at: later(5), waitMs: 5_000 });
  });

  it('an attempt is in the log from its beginning, and its outcome joins it', () => {
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
  ])('an attempt that is failure number %i is followed by another after %i s', (count, secs) => {
    expect(afterFailures(count)).toMatchObject({ status: 'pending', due: { at: later(secs) } });
  });

  it('an attempt that is failure number six is the last', () => {
    expect(afterFailures(6)).toMatchObject({ status: 'failed', due: null, attemptsLeft: 0 });
    expect(afterFailures(6).attempts).toHaveLength(6);
  });

  it('an attempt can be the sixth and still deliver', () => {
    expect(attempted(afterFailures(5), 200)).toMatchObject({ status: 'delivered', due: null });
  });

  it('an attempt is retried after the receiver’s Retry-After', () => {
    const after = recordAttempt(beginAttempt(pending, now), outcome(429, { retryAfter: '120' }), now, 0);
    expect(after.due).toEqual({ at: later(120), waitMs: 120_000 });
  });

  it('an attempt that settles the delivery releases the next of its subject', () => {
    expect(attempted(pending, 200).lane).toBeNull();
    expect(afterFailures(6).lane).toBeNull();
    expect(afterFailures(5).lane).toBe('whk_1/con_1');
  });

  it('an attempt is in progress until its outcome is known', () => {
    expect(isUnderWay(pending)).toBe(false);
    expect(isUnderWay(beginAttempt(pending, now))).toBe(true);
    expect(isUnderWay(afterFailures(1))).toBe(false);
  });

  it('an attempt that was not made after all leaves no trace', () => {
    expect(withdrawAttempt(beginAttempt(afterFailures(2), now))).toEqual(afterFailures(2));
  });
});

describe('an interrupted attempt', () => {
  it('an interrupted attempt counts, and the next one follows at once', () => {
    const after = recordInterruption(beginAttempt(afterFailures(2), now), later(20));
    expect(after).toMatchObject({ status: 'pending', due: { at: later(20), waitMs: 0 }, attemptsLeft: 3 });
    expect(after.attempts.at(-1)).toMatchObject({
      error: 'the sender was interrupted',
      durationMs: 20_000,
      statusCode: null,
    });
  });

  it('an interrupted attempt never makes a seventh', () => {
    expect(recordInterruption(beginAttempt(afterFailures(5), now), now)).toMatchObject({ status: 'failed', due: null });
  });

  it('an interrupted attempt is nothing when no attempt was open', () => {
    expect(recordInterruption(pending, now)).toEqual(pending);
    expect(recordInterruption(afterFailures(1), now)).toEqual(afterFailures(1));
  });
});

describe('a pause', () => {
  it('a pause stops what comes due and keeps its position and its count', () => {
    expect(suspend(afterFailures(2))).toMatchObject({
      status: 'pending',
      due: null,
      waitsFor: 'resume',
      lane: 'whk_1/con_1',
      attemptsLeft: 4,
    });
  });
});

describe('a manual retry', () => {
  it.each([
    ['failed', afterFailures(6)],
    ['delivered', attempted(pending, 200)],
    ['held', held],
  ])('a manual retry of a %s delivery starts a new series and keeps the log', (_, delivery) => {
    const again = retryManually(delivery, later(60));
    expect(again).toMatchObject({ status: 'pending', due: { at: later(60), waitMs: 0 }, attemptsLeft: 6 });
    expect(again.attempts).toEqual(delivery.attempts);
  });

  it('a manual retry of a delivery between two attempts does not wait for the second, and does not add attempts', () => {
    expect(retryManually(afterFailures(3), now)).toMatchObject({ due: dueNow, attemptsLeft: 3 });
  });

  it('a manual retry of a delivery that waits for an earlier event changes nothing', () => {
    expect(retryManually(waiting, now)).toEqual(waiting);
  });

  it('a manual retry of a delivery that is being sent changes nothing', () => {
    const begun = beginAttempt(pending, now);
    expect(retryManually(begun, later(1))).toBe(begun);
  });

  it('a manual retry of a settled delivery does not queue behind its subject again', () => {
    expect(retryManually(attempted(pending, 200), now).lane).toBeNull();
  });

  it('a manual retry is repeated without unbounded growth of the log', () => {
    let delivery: Delivery = pending;
    for (let round = 0; round < 20; round += 1) {
      delivery = retryManually(delivery, now);
      for (let n = 0; n < 6; n += 1) delivery = attempted(delivery, 500);
    }
    expect(delivery).toMatchObject({ status: 'failed', attemptsLeft: 0 });
    expect(delivery.attempts).toHaveLength(30);
  });
});

describe('being settled', () => {
  it.each([
    ['pending', pending, false],
    ['delivered', attempted(pending, 200), true],
    ['failed', afterFailures(6), true],
    ['held', held, true],
  ])('a delivery is settled or not by its status: %s', (_, delivery, settled) => {
    expect(isSettled(delivery)).toBe(settled);
  });
});

describe('deliveries of one lane that are claimed together', () => {
  const second = { ...waiting, id: 'whd_2' };

  it('deliveries of one lane that are claimed together have all begun, and only the first is due', () => {
    const [first, next] = beginTurns([waiting, second], now);
    expect(first).toMatchObject({ due: dueNow, waitsFor: null, attemptsLeft: 5 });
    expect(next).toMatchObject({ due: null, waitsFor: 'turn', attemptsLeft: 5 });
  });

  it('deliveries of one lane that are claimed together lose no attempt to a process that crashed before their turn', () => {
    const [, left] = beginTurns([waiting, second], now);
    expect(beginTurns([left!], later(60))[0]).toMatchObject({ attempts: [{ at: later(60) }], attemptsLeft: 5 });
  });

  it('deliveries of one lane that are claimed together are returned as they were', () => {
    expect(beginTurns([waiting, second], now).map(returnTurn)).toEqual([waiting, second]);
  });
});

const waitSecs = (attemptsMade: number, retryAfter: string | null = null, random = 0) => {
  const due = nextAttempt(attemptsMade, retryAfter, now, random);
  if (due) expect(due.at.getTime() - now.getTime()).toBe(due.waitMs);
  return due && due.waitMs / 1000;
};

describe('nextAttempt', () => {
  it.each([
    [1, 5],
    [2, 300],
    [3, 1_800],
    [4, 7_200],
    [5, 18_000],
    [6, null],
    [7, null],
  ])('nextAttempt after %i failed attempts waits %s s', (attemptsMade, secs) => {
    expect(waitSecs(attemptsMade)).toBe(secs);
  });

  it('nextAttempt stretches a wait by up to a tenth', () => {
    expect([0, 0.5, 1].map((random) => waitSecs(2, null, random))).toEqual([300, 315, 330]);
  });

  it.each([
    ['120', 120],
    [' 120 ', 120],
    ['1', 5],
    ['0', 5],
    ['86400', 86_400],
    ['86401', 86_400],
    ['9'.repeat(400), 86_400],
    ['Sun, 01 Mar 2026 12:02:00 GMT', 120],
    ['Sunday, 01-Mar-26 12:02:00 GMT', 120],
    ['Sun Mar  1 12:02:00 2026', 120],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 5],
    ['Fri, 01 Mar 2999 12:00:00 GMT', 86_400],
    ['-1', 5],
    ['1.5', 5],
    ['1e9', 5],
    ['soon', 5],
    ['Sunday', 5],
    ['2026-03-01T13:00:00Z', 5],
    ['', 5],
  ])('nextAttempt with Retry-After %j waits %i s after the first failure', (retryAfter, secs) => {
    expect(waitSecs(1, retryAfter)).toBe(secs);
  });

  it('nextAttempt makes no seventh attempt, whatever the receiver’s Retry-After', () => {
    expect(waitSecs(6, '60')).toBeNull();
  });
});

describe('one of many that are sent again', () => {
  it('one of many that are sent again waits for its turn among its subject’s events, with a new series', () => {
    const failed = afterFailures(6);
    expect(failed).toMatchObject({ status: 'failed', lane: null, attemptsLeft: 0 });
    expect(retryInOrder(failed, later(60))).toMatchObject({
      status: 'pending',
      lane: 'whk_1/con_1',
      due: null,
      waitsFor: 'turn',
      attemptsLeft: 6,
      attempts: failed.attempts,
    });
    expect(retryInOrder(held, now)).toMatchObject({ status: 'pending', lane: 'whk_1/con_1', waitsFor: 'turn' });
  });

  it('one of many that are sent again is due at once when it has no place among events', () => {
    const test = { ...newTestDelivery(given, now), status: 'failed' as const };
    expect(retryInOrder(test, now)).toMatchObject({ status: 'pending', lane: null, due: dueNow });
    const extra = newExtraDelivery({ ...given, subject: 'con_1' }, { paused: true }, now);
    expect(extra).toMatchObject({ status: 'held', lane: null, due: null, subject: 'con_1' });
    expect(retryInOrder(extra, now)).toMatchObject({ status: 'pending', lane: null, due: dueNow });
  });
});

describe('an event that is sent at somebody’s wish', () => {
  it('an event that is sent at somebody’s wish is due at once, whatever waits of its subject', () => {
    expect(newExtraDelivery({ ...given, subject: 'con_1' }, { paused: false }, now)).toMatchObject({
      status: 'pending',
      lane: null,
      due: dueNow,
      isTest: false,
    });
  });
});
