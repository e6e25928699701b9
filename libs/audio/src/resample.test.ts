import { describe, expect, it } from '@jest/globals';
import { resample } from './resample.ts';

const tone = (hertz: number, rate: number, secs: number) =>
  Float32Array.from({ length: rate * secs }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate));

describe('another rate', () => {
  it.each([
    [8000, 16_000],
    [22_050, 16_000],
    [24_000, 16_000],
    [44_100, 16_000],
    [16_000, 8000],
  ])('another rate keeps a tone: %d to %d', (from, to) => {
    const expected = tone(440, to, 0.5);
    const actual = resample(tone(440, from, 0.5), from, to);
    expect(actual.length).toBe(expected.length);
    const inner = (samples: Float32Array) => samples.subarray(to / 10, to * 0.4);
    const difference = inner(actual).map((sample, i) => sample - inner(expected)[i]!);
    expect(Math.max(...difference.map(Math.abs))).toBeLessThan(0.01);
  });

  it('another rate is refused where its filter would not be bounded', () => {
    for (const from of [0, -8000, 8000.5, 800_001, Number.NaN])
      expect(() => resample(new Float32Array(10), from, 16_000)).toThrow(RangeError);
  });

  it('another rate loses what the new rate cannot carry instead of folding it back', () => {
    const high = resample(tone(7000, 44_100, 0.5), 44_100, 8000);
    expect(Math.max(...high.subarray(400, 3600).map(Math.abs))).toBeLessThan(0.01);
  });
});
