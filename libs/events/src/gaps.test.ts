import { describe, expect, it } from '@jest/globals';
import { trackGaps } from './gaps.ts';

describe('a gap', () => {
  it('is as old as the first time it was missed', () => {
    let now = 100;
    const gaps = trackGaps(() => now);
    expect(gaps.missedForMs('a', 2)).toBe(0);
    now = 150;
    expect(gaps.missedForMs('a', 2)).toBe(50);
    expect(gaps.missedForMs('b', 2)).toBe(0);
  });

  it('is a new one when another is missing, and when the last one was closed', () => {
    let now = 0;
    const gaps = trackGaps(() => now);
    gaps.missedForMs('a', 2);
    now = 50;
    expect(gaps.missedForMs('a', 3)).toBe(0);
    now = 80;
    gaps.closed('a');
    expect(gaps.missedForMs('a', 3)).toBe(0);
  });
});
