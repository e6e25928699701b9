import { describe, expect, it } from '@jest/globals';
import { decodeMuLaw, encodeMuLaw } from './mu-law.ts';

describe('µ-law', () => {
  it('µ-law keeps every sample within the step of its loudness', () => {
    const samples = Int16Array.from({ length: 6553 }, (_, index) => -32_768 + index * 10);
    const back = decodeMuLaw(encodeMuLaw(samples));
    samples.forEach((sample, index) => {
      expect(Math.abs(back[index]! - sample)).toBeLessThanOrEqual(Math.max(8, Math.abs(sample) / 16 + 140));
    });
  });

  it('µ-law encodes as the standard says', () => {
    expect([...encodeMuLaw(Int16Array.of(0, 32_767, -32_768))]).toEqual([0xff, 0x80, 0x00]);
    expect([...decodeMuLaw(Uint8Array.of(0xff, 0x80, 0x00))]).toEqual([0, 32_124, -32_124]);
  });
});
