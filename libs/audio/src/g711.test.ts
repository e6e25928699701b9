import { describe, expect, it } from '@jest/globals';
import { type Codec, decodeG711, encodeG711 } from './g711.ts';

describe.each<Codec>(['PCMU', 'PCMA'])('%s', (codec) => {
  it(`${codec} keeps every sample within the step of its loudness`, () => {
    const samples = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
    const back = decodeG711(codec, encodeG711(codec, samples));
    const wrong = samples.filter(
      (sample, index) => Math.abs(back[index]! - sample) > Math.max(8, Math.abs(sample) / 16 + 140),
    );
    expect([...wrong]).toEqual([]);
  });

  it(`${codec} keeps what it once decoded`, () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const samples = decodeG711(codec, bytes);
    expect([...decodeG711(codec, encodeG711(codec, samples))]).toEqual([...samples]);
  });

  it(`${codec} is the same loudness up and down`, () => {
    const samples = decodeG711(
      codec,
      Uint8Array.from({ length: 256 }, (_, byte) => byte),
    );
    // In µ-law silence is 0 in both, and -0 would be another value.
    expect([...samples.subarray(0, 128)].map((sample) => 0 - sample)).toEqual([...samples.subarray(128)]);
  });
});

describe('G.711', () => {
  it('G.711 encodes µ-law as the standard says', () => {
    expect([...encodeG711('PCMU', Int16Array.of(0, 32_767, -32_768))]).toEqual([0xff, 0x80, 0x00]);
    expect([...decodeG711('PCMU', Uint8Array.of(0xff, 0x80, 0x00))]).toEqual([0, 32_124, -32_124]);
  });

  it('G.711 encodes A-law as the standard says', () => {
    expect([...encodeG711('PCMA', Int16Array.of(0, 32_767, -32_768))]).toEqual([0xd5, 0xaa, 0x2a]);
    expect([...decodeG711('PCMA', Uint8Array.of(0xd5, 0x55, 0xaa, 0x2a))]).toEqual([8, -8, 32_256, -32_256]);
  });
});
