import { describe, expect, it } from '@jest/globals';
import { singleFlight } from './single-flight.ts';

describe('singleFlight', () => {
  it('runs the work once for requests that overlap, and again for one that comes after an answer', async () => {
    const once = singleFlight<number>();
    let runs = 0;
    const work = async () => ++runs;
    const answers = await Promise.all([once('a', work), once('a', work), once('a', work), once('b', work)]);
    expect([answers[0], answers[1], answers[2], runs]).toEqual([1, 1, 1, 2]);
    expect(await once('a', work)).toBe(3);
  });

  it('shares a failure too, and does not cache it', async () => {
    const once = singleFlight<number>();
    const failing = () => Promise.reject(new Error('no'));
    const results = await Promise.allSettled([once('a', failing), once('a', failing)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await once('a', async () => 1)).toBe(1);
  });
});
