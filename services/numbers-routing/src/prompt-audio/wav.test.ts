import { describe, expect, it } from '@jest/globals';
import { testWav } from '@parley/testkit/service';
import { joinWavs } from './wav.ts';

describe('joining WAV files', () => {
  it('joining WAV files gives one file with all samples in order', () => {
    const joined = Buffer.from(joinWavs([testWav(4, 1), testWav(6, 2), testWav(2, 3)]));
    expect([...joined.subarray(44)]).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3]);
    expect(joined.readUInt32LE(4)).toBe(joined.length - 8);
    expect(joined.readUInt32LE(40)).toBe(12);
    expect(joined.subarray(12, 36)).toEqual(Buffer.from(testWav(0, 0)).subarray(12, 36));
  });

  it('joining WAV files passes over chunks that hold no samples', () => {
    const plain = Buffer.from(testWav(4, 7));
    const list = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
    const tagged = Buffer.concat([plain.subarray(0, 36), list, plain.subarray(36)]);
    expect(joinWavs([tagged])).toEqual(joinWavs([plain]));
  });

  it('joining WAV files reads a streamed file without a length up to its end', () => {
    const streamed = Buffer.from(testWav(4, 7));
    streamed.writeUInt32LE(0xffffffff, 40);
    expect(joinWavs([streamed])).toEqual(Buffer.from(testWav(4, 7)));
  });

  it('joining WAV files refuses what is no WAV file, has no samples or is written differently', () => {
    const other = Buffer.from(testWav(4, 1));
    other.writeUInt32LE(16_000, 24);
    expect(() => joinWavs([Buffer.from('ID3')])).toThrow('not a WAV file');
    expect(() => joinWavs([testWav(4, 1).subarray(0, 36)])).toThrow('without samples');
    expect(() => joinWavs([testWav(4, 1), other])).toThrow('different formats');
  });
});
