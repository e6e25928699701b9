import { describe, expect, it } from '@jest/globals';
import { writeWav } from '@parley/audio';
import { resample } from '../audio/resample.ts';
import { mixDown, mixedLengthMs, mixTracks } from './recording.ts';
import { durationMs, readWav, withUnfinishedHeader } from '../audio/wav.ts';

const constant = (value: number, ms: number, sampleRate = 1000) => ({
  samples: new Int16Array((ms * sampleRate) / 1000).fill(value),
  sampleRate,
});
/** Runs of equal samples: `[value, count]`. */
function runs(samples: Int16Array): [number, number][] {
  const found: [number, number][] = [];
  for (const sample of samples) {
    const last = found.at(-1);
    if (last?.[0] === sample) last[1] += 1;
    else found.push([sample, 1]);
  }
  return found;
}

describe('the tracks of a recording', () => {
  it('the tracks of a recording have pieces at their times, and pauses of a second at most', () => {
    const pieces = [
      { track: 0 as const, startMs: 200, sound: constant(7, 300) },
      { track: 1 as const, startMs: 90_000, sound: constant(9, 100) },
    ];
    const [sent, received] = mixTracks(pieces, 200_000, 1000);
    expect(runs(sent)).toEqual([
      [0, 200],
      [7, 300],
      [0, 2100],
    ]);
    expect(runs(received)).toEqual([
      [0, 1500],
      [9, 100],
      [0, 1000],
    ]);
  });

  it('the tracks of a recording have a length at every time, and later pieces are placed after it', () => {
    const first = { track: 0 as const, startMs: 200, sound: constant(7, 300) };
    expect([0, 300, 700, 90_000].map((endMs) => mixedLengthMs([first], endMs))).toEqual([0, 300, 700, 1500]);
    const [, received] = mixTracks([first, { track: 1, startMs: 90_000, sound: constant(9, 100) }], 200_000, 1000);
    expect(received.indexOf(9)).toBe(1500);
  });

  it('the tracks of a recording keep what overlaps where it overlapped', () => {
    const pieces = [
      { track: 1 as const, startMs: 100, sound: constant(9, 100) },
      { track: 0 as const, startMs: 0, sound: constant(7, 400) },
    ];
    const [sent, received] = mixTracks(pieces, 400, 1000);
    expect([runs(sent), runs(received)]).toEqual([
      [[7, 400]],
      [
        [0, 100],
        [9, 100],
        [0, 200],
      ],
    ]);
    expect(runs(mixDown([sent, received]))).toEqual([
      [7, 100],
      [16, 100],
      [7, 200],
    ]);
  });

  it('the tracks of a recording end where the recording ended, within a piece', () => {
    const [sent] = mixTracks([{ track: 0, startMs: 0, sound: constant(7, 5000) }], 250, 1000);
    expect(runs(sent)).toEqual([[7, 250]]);
  });

  it('the tracks of a recording are silent without pieces', () => {
    expect(mixTracks([], 300, 1000).map(runs)).toEqual([[[0, 300]], [[0, 300]]]);
  });
});

describe('a WAV file', () => {
  it('a WAV file is read as it was written, channels mixed', () => {
    const file = writeWav([Int16Array.of(100, -200, 300), Int16Array.of(300, 0)], 8000);
    const sound = readWav(file)!;
    expect([[...sound.samples], sound.sampleRate]).toEqual([[200, -100, 150], 8000]);
    expect(durationMs(sound)).toBeCloseTo(0.375);
  });

  it('a WAV file of a killed switch has a header with length 0', () => {
    const file = withUnfinishedHeader(writeWav([Int16Array.of(1, 2, 3)], 8000));
    expect(readWav(file)?.samples.length).toBe(0);
    expect(file.length).toBe(44 + 6);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('<html>not audio at all, and long enough</html>')],
    ['a file that ends in its header', writeWav([Int16Array.of(1)], 8000).subarray(0, 20)],
  ])('%s is no WAV file', (_what, bytes) => {
    expect(readWav(bytes)).toBeUndefined();
  });
});

describe('resampling', () => {
  it('resampling keeps a tone and its loudness, and drops what the lower rate cannot carry', () => {
    const tone = (hz: number) => ({
      sampleRate: 16_000,
      samples: Int16Array.from({ length: 16_000 }, (_, at) =>
        Math.round(10_000 * Math.sin((2 * Math.PI * hz * at) / 16_000)),
      ),
    });
    const loudness = (samples: Int16Array) =>
      Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
    expect(resample(tone(500), 8000)).toHaveLength(8000);
    expect(loudness(resample(tone(500), 8000))).toBeCloseTo(10_000 / Math.SQRT2, -2.5);
    expect(loudness(resample(tone(6000), 8000))).toBeLessThan(500);
    expect(resample(tone(500), 16_000)).toEqual(tone(500).samples);
  });
});
