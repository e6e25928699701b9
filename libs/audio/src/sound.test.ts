import { describe, expect, it } from '@jest/globals';
import { readRecording, readWav, writeWav } from './sound.ts';

describe('a WAV file', () => {
  it('a WAV file holds what was written into it', () => {
    const samples = Int16Array.of(0, 1000, -1000, 32_767, -32_768);
    const { rate, channels } = readWav(writeWav([samples], 8000))!;
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
    const file = writeWav([Int16Array.of(1, 2, 3)], 8000);
    file.writeUInt32LE(0xffffffff, 40);
    expect(readWav(file)!.channels[0]).toHaveLength(3);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['something else', Buffer.from('OggS................................................')],
    ['a head without samples', writeWav([new Int16Array(4)], 8000).subarray(0, 30)],
    ['an unknown format', aFile({ kind: 85, bits: 16, data: [0, 0] })],
    ['no channels', aFile({ kind: 1, bits: 16, data: [0, 0], channels: 0 })],
    ['3 channels', aFile({ kind: 1, bits: 16, data: [0, 0, 0, 0, 0, 0], channels: 3 })],
    ['samples at 800,001 Hz', aFile({ kind: 1, bits: 16, data: [0, 0], rate: 800_001 })],
    ['samples at 1 Hz', aFile({ kind: 1, bits: 16, data: [0, 0], rate: 1 })],
  ])('a WAV file is not made of %s', (_, file) => {
    expect(readWav(file)).toBeUndefined();
  });

  it('a WAV file of a call has 16-bit samples', () => {
    expect(readRecording(writeWav([Int16Array.of(1, 2)], 8000))?.channels).toHaveLength(1);
    expect(readRecording(aFile({ kind: 7, bits: 8, data: [0xff] }))).toBeUndefined();
    expect(readRecording(aFile({ kind: 1, bits: 16, data: [0, 0], rate: 800_001 }))).toBeUndefined();
  });

  function aFile(about: { kind: number; bits: number; data: number[]; channels?: number; rate?: number }): Buffer {
    const file = Buffer.concat([writeWav([new Int16Array()], 8000), Buffer.from(about.data)]);
    file.writeUInt16LE(about.kind, 20);
    file.writeUInt16LE(about.channels ?? 1, 22);
    file.writeUInt32LE(about.rate ?? 8000, 24);
    file.writeUInt16LE(about.bits, 34);
    file.writeUInt32LE(about.data.length, 40);
    return file;
  }
});
