import { describe, expect, it } from '@jest/globals';
import { createRateLimiter } from './rate-limit.ts';

function movable() {
  let nowMs = 1_000_000;
  return { now: () => new Date(nowMs), move: (ms: number) => (nowMs += ms) };
}

describe('a rate limiter', () => {
  it('a rate limiter allows a burst and not one more', () => {
    const limiter = createRateLimiter({ perSecond: 10, burst: 5, clock: movable() });
    const admitted = Array.from({ length: 7 }, () => limiter.consume('key').allowed);
    expect(admitted).toEqual([true, true, true, true, true, false, false]);
  });

  it('a rate limiter fills at its rate and never past its burst', () => {
    const clock = movable();
    const limiter = createRateLimiter({ perSecond: 10, burst: 5, clock });
    const drain = () => Array.from({ length: 20 }, () => limiter.consume('key')).filter((a) => a.allowed).length;
    expect(drain()).toBe(5);
    clock.move(200);
    expect(drain()).toBe(2);
    clock.move(99);
    expect(drain()).toBe(0);
    clock.move(1);
    expect(drain()).toBe(1);
    clock.move(3_600_000);
    expect(drain()).toBe(5);
  });

  it('a rate limiter counts each key on its own', () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 1, clock: movable() });
    expect([limiter.consume('a').allowed, limiter.consume('b').allowed, limiter.consume('a').allowed]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('a rate limiter reports the remaining requests and when to retry', () => {
    const limiter = createRateLimiter({ perSecond: 100, burst: 500, clock: movable() });
    expect(limiter.consume('key').headers).toEqual({
      RateLimit: '"default";r=499;t=1',
      'RateLimit-Policy': '"default";q=500;w=5',
    });
    for (let i = 0; i < 499; i++) limiter.consume('key');
    expect(limiter.consume('key').headers).toEqual({
      RateLimit: '"default";r=0;t=1',
      'RateLimit-Policy': '"default";q=500;w=5',
      'Retry-After': '1',
    });
  });

  it('a rate limiter reports how long to wait without counting', () => {
    const clock = movable();
    const limiter = createRateLimiter({ perSecond: 0.5, burst: 1, clock });
    expect([limiter.waitSecs('key'), limiter.waitSecs('key')]).toEqual([0, 0]);
    limiter.consume('key');
    expect(limiter.waitSecs('key')).toBe(2);
    clock.move(1_500);
    expect(limiter.waitSecs('key')).toBe(1);
    clock.move(500);
    expect(limiter.waitSecs('key')).toBe(0);
  });

  it('a rate limiter waits as long as a slow bucket needs', () => {
    const limiter = createRateLimiter({ perSecond: 0.1, burst: 1, clock: movable() });
    limiter.consume('key');
    expect(limiter.consume('key').headers['Retry-After']).toBe('10');
  });

  it('a rate limiter does not block a key when the clock is moved back', () => {
    const clock = movable();
    const limiter = createRateLimiter({ perSecond: 1, burst: 2, clock });
    clock.move(86_400_000);
    limiter.consume('key');
    limiter.consume('key');
    clock.move(-86_400_000);
    expect(limiter.consume('key').allowed).toBe(true);
  });

  it('a rate limiter counts correctly beyond the number of keys at which it cleans up', () => {
    const clock = movable();
    const limiter = createRateLimiter({ perSecond: 1, burst: 1, clock });
    let admitted = 0;
    for (let i = 0; i < 30_000; i++) {
      if (i === 15_000) clock.move(2_000);
      if (limiter.consume(`key${i}`).allowed) admitted += 1;
    }
    expect(admitted).toBe(30_000);
    expect(limiter.consume('key29999').allowed).toBe(false);
    expect(limiter.consume('key0').allowed).toBe(true);
  });

  it.each([
    { perSecond: 0, burst: 1 },
    { perSecond: 1, burst: 0 },
  ])('a rate limiter refuses a limit that would allow no request: %j', (limit) => {
    expect(() => createRateLimiter({ ...limit, clock: movable() })).toThrow('positive');
  });
});
