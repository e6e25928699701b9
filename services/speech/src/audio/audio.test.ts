import { describe, expect, it } from '@jest/globals';
import { readRecording, readWav, writeWav, alawToLinear, ulawToLinear } from './wav.ts';
import { loudness } from './loudness.ts';
import { resample } from './resample.ts';
import { joinSpeech, SPEECH_RATE, speechSamples, toInt16, trimSilence } from './speech-samples.ts';

const tone = (hertz: number, rate: number, secs: number) =>
  Float32Array.from({ length: rate * secs }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate));

describe('a WAV file', () => {
  it('a WAV file holds what was written into it', () => {
    const samples = Int16Array.of(0, 1000, -1000, 32_767, -32_768);
    const { rate, channels } = readWav(writeWav(samples, 8000))!;
    expect(rate).toBe(8000);
    expect(channels.map((channel) => [...channel].map((sample) => Math.round(sample * 32_768)))).toEqual([
      [...samples],
    ]);
  });

  it.each([
    ['8 bit', 1, 8, [0x80, 0xff, 0x00], [0, 127 / 128, -1]],
    ['24 bit', 1, 24, [0, 0, 0x40, 0, 0, 0xc0], [0.5, -0.5]],
    ['32 bit', 1, 32, [0, 0, 0, 0x40], [0.5]],
    ['floating point', 3, 32, [0, 0, 0, 0xbf], [-0.5]],
    ['mu-law', 7, 8, [0xff, 0x00, 0x80], [0, -0.98, 0.98]],
    ['A-law', 6, 8, [0xd5, 0xaa], [0, 0.98]],
  ])('a WAV file of %s is read', (_, kind, bits, data, expected) => {
    const { channels } = readWav(aFile({ kind, bits, data }))!;
    expect([...channels[0]!].map((sample) => Number(sample.toFixed(2)))).toEqual(
      expected.map((sample) => expect.closeTo(sample, 1)),
    );
  });

  it('a WAV file is read to its end when its length was not known while it was written', () => {
    const file = writeWav(Int16Array.of(1, 2, 3), 8000);
    file.writeUInt32LE(0xffffffff, 40);
    expect(readWav(file)!.channels[0]).toHaveLength(3);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['something else', Buffer.from('OggS................................................')],
    ['a head without samples', writeWav(new Int16Array(4), 8000).subarray(0, 30)],
    ['an unknown format', aFile({ kind: 85, bits: 16, data: [0, 0] })],
    ['no channels', aFile({ kind: 1, bits: 16, data: [0, 0], channels: 0 })],
    ['3 channels', aFile({ kind: 1, bits: 16, data: [0, 0, 0, 0, 0, 0], channels: 3 })],
    ['samples at 800,001 Hz', aFile({ kind: 1, bits: 16, data: [0, 0], rate: 800_001 })],
    ['samples at 1 Hz', aFile({ kind: 1, bits: 16, data: [0, 0], rate: 1 })],
  ])('a WAV file is not made of %s', (_, file) => {
    expect(readWav(file)).toBeUndefined();
  });

  it('a WAV file of a call has 16-bit samples', () => {
    expect(readRecording(writeWav(Int16Array.of(1, 2), 8000))?.channels).toHaveLength(1);
    expect(readRecording(aFile({ kind: 7, bits: 8, data: [0xff] }))).toBeUndefined();
    expect(readRecording(aFile({ kind: 1, bits: 16, data: [0, 0], rate: 800_001 }))).toBeUndefined();
  });

  function aFile(about: { kind: number; bits: number; data: number[]; channels?: number; rate?: number }): Buffer {
    const file = Buffer.concat([writeWav(new Int16Array(), 8000), Buffer.from(about.data)]);
    file.writeUInt16LE(about.kind, 20);
    file.writeUInt16LE(about.channels ?? 1, 22);
    file.writeUInt32LE(about.rate ?? 8000, 24);
    file.writeUInt16LE(about.bits, 34);
    file.writeUInt32LE(about.data.length, 40);
    return file;
  }
});

describe('G.711', () => {
  it('G.711 is the same loudness up and down', () => {
    for (let byte = 0; byte < 128; byte += 1) {
      expect(ulawToLinear(byte)).toBeCloseTo(-ulawToLinear(byte + 128), 9);
      expect(alawToLinear(byte)).toBeCloseTo(-alawToLinear(byte + 128), 9);
    }
  });
});

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
    expect(Math.max(...loudness(high.subarray(400, 3600), 80))).toBeLessThan(0.01);
  });
});

describe('the output of an engine', () => {
  const silence = (secs: number) => new Float32Array(SPEECH_RATE * secs);
  const padded = Float32Array.of(...silence(0.5), ...tone(300, SPEECH_RATE, 1), ...silence(0.8));

  it('the output of an engine loses the silence around it, but not the breath before and after', () => {
    const secs = trimSilence(padded).length / SPEECH_RATE;
    expect(secs).toBeGreaterThan(1.1);
    expect(secs).toBeLessThan(1.25);
    expect(trimSilence(silence(1))).toHaveLength(0);
  });

  it('the output of an engine is turned down where it is too loud, never cut off', () => {
    expect([...toInt16(Float32Array.of(2, -1, 0.5))]).toEqual([32_767, -16_383, 8192]);
  });

  it('the output of an engine comes at our rate from any other', () => {
    expect(speechSamples(tone(300, 44_100, 1), 44_100).length / SPEECH_RATE).toBeCloseTo(1, 1);
  });

  it('the output of an engine is joined with pauses between, and none around', () => {
    const joined = joinSpeech([Int16Array.of(1), new Int16Array(), Int16Array.of(2, 3)], 1);
    expect([...joined]).toEqual([1, ...Array.from({ length: 16 }, () => 0), 2, 3]);
    expect(joinSpeech([], 200)).toHaveLength(0);
  });
});
