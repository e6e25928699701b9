import { describe, expect, it } from '@jest/globals';
import { microsecondTicker } from './clock.ts';

const HOUR_MS = 3_600_000;

describe('a microsecond ticker', () => {
  it('a microsecond ticker increases although the clock stops or jumps back slightly', () => {
    const times = [1000, 1000, 1000, 999, 1001, 1000];
    const tick = microsecondTicker({ now: () => new Date(times.shift() ?? 0) });
    const ticks = Array.from({ length: 6 }, tick);
    expect(ticks).toEqual([1_000_000, 1_000_001, 1_000_002, 1_000_003, 1_001_000, 1_001_001]);
  });

  it('a microsecond ticker follows a test clock back', () => {
    let now = HOUR_MS;
    const tick = microsecondTicker({ now: () => new Date(now) });
    tick();
    now = 0;
    expect(tick()).toBe(0);
  });
});
