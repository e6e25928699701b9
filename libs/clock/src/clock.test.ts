import { describe, expect, it } from '@jest/globals';
import { movableClock, systemClock } from './clock.ts';

const noon = new Date('2026-03-01T12:00:00Z');
const stopped = { now: () => noon };

describe('the machine’s clock', () => {
  it('the machine’s clock returns the current time', () => {
    const before = Date.now();
    const now = systemClock.now().getTime();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

describe('a clock that can be moved', () => {
  it('a clock that can be moved is its base’s time until it is moved, and its distance away from it afterwards', () => {
    const clock = movableClock(stopped);
    expect(clock.now()).toEqual(noon);
    clock.setOffsetMs(3_600_000);
    expect(clock.now()).toEqual(new Date('2026-03-01T13:00:00Z'));
    expect(clock.offsetMs()).toBe(3_600_000);
    clock.setOffsetMs(0);
    expect(clock.now()).toEqual(noon);
  });

  it('a clock that can be moved continues after a move', () => {
    let base = noon.getTime();
    const clock = movableClock({ now: () => new Date(base) });
    clock.setOffsetMs(1000);
    base += 5;
    expect(clock.now().getTime()).toBe(noon.getTime() + 1005);
  });

  it('a clock that can be moved returns a date that the caller may change', () => {
    const clock = movableClock(stopped);
    clock.now().setFullYear(1970);
    expect(clock.now()).toEqual(noon);
  });

  it('a clock that can be moved reports to every listener whether a move went back', () => {
    const clock = movableClock(stopped);
    const calls: string[] = [];
    clock.onMove(({ back }) => void calls.push(`first ${back}`));
    clock.onMove(({ back }) => void calls.push(`second ${back}`));
    clock.setOffsetMs(10);
    clock.setOffsetMs(4);
    expect(calls).toEqual(['first false', 'second false', 'first true', 'second true']);
  });

  it('a clock that can be moved shows its listeners the time after the move', () => {
    const clock = movableClock(stopped);
    let seen: Date | undefined;
    clock.onMove(() => void (seen = clock.now()));
    clock.setOffsetMs(60_000);
    expect(seen).toEqual(new Date('2026-03-01T12:01:00Z'));
  });

  it('a clock that can be moved has moved only when the listeners of every move have finished', async () => {
    const clock = movableClock(stopped);
    const finish: (() => void)[] = [];
    clock.onMove(() => new Promise((resolve) => finish.push(resolve)));
    clock.setOffsetMs(1);
    clock.setOffsetMs(2);
    let moved = false;
    const waiting = clock.moved().then(() => (moved = true));
    finish[1]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(moved).toBe(false);
    finish[0]?.();
    await waiting;
    expect(moved).toBe(true);
  });

  it('a clock that can be moved has moved although a listener failed', async () => {
    const clock = movableClock(stopped);
    let other = false;
    clock.onMove(() => {
      throw new Error('no');
    });
    clock.onMove(() => Promise.reject(new Error('no')));
    clock.onMove(() => void (other = true));
    clock.setOffsetMs(1);
    await clock.moved();
    expect(other).toBe(true);
  });
});
