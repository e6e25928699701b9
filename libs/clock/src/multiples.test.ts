import { describe, expect, it } from '@jest/globals';
import { msUntilMultiple } from './clock.ts';

describe('the next multiple of an interval', () => {
  it('the next multiple of an interval is that of its parts, too', () => {
    expect(msUntilMultiple(15_000, 31_000)).toBe(14_000);
    expect(msUntilMultiple(5000, 31_000)).toBe(4000);
    expect(31_000 + msUntilMultiple(15_000, 31_000)).toBe(40_000 + msUntilMultiple(5000, 40_000));
  });

  it('the next multiple of an interval is not the present one if its timer rings early', () => {
    expect(msUntilMultiple(15_000, 44_999)).toBe(15_001);
    expect(msUntilMultiple(15_000, 45_001)).toBe(14_999);
  });
});
