import { describe, expect, it } from '@jest/globals';
import { shareAnswers } from './share-answers.ts';

describe('shareAnswers', () => {
  it('runs the work once for requests that overlap, and again for one that comes after an answer', async () => {
    const share = shareAnswers<number>();
    let runs = 0;
    const work = async () => ++runs;
    const answers = await Promise.all([share('a', work), share('a', work), share('a', work), share('b', work)]);
    expect([answers[0], answers[1], answers[2], runs]).toEqual([1, 1, 1, 2]);
    expect(await share('a', work)).toBe(3);
  });

  it('shares a failure too, and does not cache it', async () => {
    const share = shareAnswers<number>();
    const failing = () => Promise.reject(new Error('no'));
    const results = await Promise.allSettled([share('a', failing), share('a', failing)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await share('a', async () => 1)).toBe(1);
  });

  it('holds back a shared answer until no other request has arrived for a while', async () => {
    const share = shareAnswers<number>();
    let runs = 0;
    const work = async () => ++runs;
    const first = share('a', work);
    const second = share('a', work);
    await new Promise((resolve) => setImmediate(resolve));
    const straggler = share('a', work);
    expect(await Promise.all([first, second, straggler])).toEqual([1, 1, 1]);
  });
});
