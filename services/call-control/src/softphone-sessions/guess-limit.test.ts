import { describe, expect, it } from '@jest/globals';
import { movableClock } from '@parley/clock';
import { guessLimit, type PhoneAttempt } from './guess-limit.ts';

function open() {
  const clock = movableClock({ now: () => new Date('2030-01-01T00:00:00Z') });
  const limit = guessLimit(clock);
  return {
    ...limit,
    pass: (seconds: number) => clock.setOffsetMs(clock.offsetMs() + seconds * 1000),
    /** Wrong passwords as long as they are looked at; their number. */
    guess(attempt: PhoneAttempt, times: number): number {
      let looked = 0;
      for (let n = 0; n < times; n++) {
        if (!limit.allows(attempt)) continue;
        looked += 1;
        limit.failed(attempt);
      }
      return looked;
    },
  };
}
const at = (source: string, username = 'emp_1') => ({ source, username });

describe('wrong passwords', () => {
  it('wrong passwords of one source for one user are looked at ten times, then ten times a minute', () => {
    const limit = open();
    expect(limit.guess(at('192.0.2.1'), 303)).toBe(10);
    limit.pass(60);
    expect(limit.guess(at('192.0.2.1'), 303)).toBe(10);
  });

  it('wrong passwords for one user lock nobody else out: neither other users of the source nor the user elsewhere', () => {
    const limit = open();
    limit.guess(at('192.0.2.1'), 1000);
    expect([
      limit.allows(at('192.0.2.1')),
      limit.allows(at('192.0.2.1', 'emp_2')),
      limit.allows(at('192.0.2.2')),
    ]).toEqual([false, true, true]);
  });

  it('wrong passwords of one source for many users are looked at 300 times, then 300 times a minute', () => {
    const limit = open();
    const looked = () => {
      let sum = 0;
      for (let user = 0; user < 1000; user++) sum += limit.guess(at('192.0.2.1', `emp_${user}`), 1);
      return sum;
    };
    expect(looked()).toBe(300);
    limit.pass(60);
    expect(looked()).toBe(300);
  });

  it('wrong passwords of many sources for one user are looked at 200 times, except where the user has been within a day', () => {
    const limit = open();
    limit.succeeded(at('198.51.100.1'));
    let looked = 0;
    for (let source = 0; source < 1000; source++) looked += limit.guess(at(`192.0.2.${source}`), 1);
    expect(looked).toBe(200);
    expect([limit.allows(at('203.0.113.9')), limit.allows(at('198.51.100.1'))]).toEqual([false, true]);
    limit.pass(24 * 3600);
    looked = 0;
    for (let source = 0; source < 1000; source++) looked += limit.guess(at(`192.0.2.${source}`), 1);
    expect([looked, limit.allows(at('198.51.100.1'))]).toEqual([200, false]);
  });

  it('wrong passwords of a source where the user has been recently, such as a proxy, are looked at a hundred times', () => {
    const limit = open();
    limit.succeeded(at('192.0.2.1'));
    expect(limit.guess(at('192.0.2.1'), 303)).toBe(100);
    expect(limit.guess(at('192.0.2.1', 'emp_2'), 303)).toBe(10);
  });
});
