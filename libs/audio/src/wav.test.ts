import { describe, expect, it } from '@jest/globals';
import { isWav, pcm16Format, readTelephoneFormat, readWavChunks, wavHeader } from './wav.ts';

const samples = Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]);
const format = pcm16Format(2, 8000);
const file = Buffer.concat([wavHeader(format, samples.length), samples]);

describe('the header of a WAV file', () => {
  it('the header of a WAV file has 44 bytes for PCM, with the sizes of what follows', () => {
    expect(file.length).toBe(44 + samples.length);
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(file.readUInt32LE(40)).toBe(samples.length);
    expect([file.readUInt16LE(22), file.readUInt32LE(24), file.readUInt32LE(28)]).toEqual([2, 8000, 32_000]);
    expect([file.readUInt16LE(32), file.readUInt16LE(34)]).toEqual([4, 16]);
  });
});

describe('the chunks of a WAV file', () => {
  it('the chunks of a WAV file are its format and its samples', () => {
    expect(readWavChunks(file)).toEqual({ format, dataStart: 44, dataEnd: 52 });
  });

  it('the chunks of a WAV file are found behind others, which begin at even offsets', () => {
    const note = Buffer.from('LIST\u0003\0\0\0abc\0', 'latin1');
    const longer = Buffer.concat([file.subarray(0, 12), note, file.subarray(12)]);
    expect(readWavChunks(longer)).toEqual({ format, dataStart: 44 + note.length, dataEnd: 52 + note.length });
  });

  it('the chunks of a WAV file extend to the end where the header states more than there is', () => {
    const streamed = Buffer.from(file);
    streamed.writeUInt32LE(0xffff_ffff, 40);
    expect(readWavChunks(streamed)).toEqual({ format, dataStart: 44, dataEnd: 52 });
  });

  it('the chunks of a WAV file are missing in anything else', () => {
    expect(isWav(Buffer.from('RIFF____AVI LIST'))).toBe(false);
    expect(readWavChunks(Buffer.from('ID3'))).toBeUndefined();
    expect(readWavChunks(file.subarray(0, 36))).toBeUndefined();
    const shortFormat = Buffer.concat([wavHeader(format.subarray(0, 8), samples.length), samples]);
    expect(readWavChunks(shortFormat)).toBeUndefined();
  });
});

describe('the format of a recording', () => {
  it.each([
    [1, 8000],
    [2, 16_000],
    [2, 44_100],
    [1, 48_000],
  ])('the format of a recording may be %d channels at %d Hz', (channels, sampleRate) => {
    expect(readTelephoneFormat(pcm16Format(channels, sampleRate))).toEqual({ channels, sampleRate });
  });

  it.each([
    [0, 8000],
    [3, 8000],
    [1, 7999],
    [1, 48_001],
    [1, 800_001],
    [2, 0],
    [1, 0xffff_ffff],
  ])('the format of a recording is not %d channels at %d Hz', (channels, sampleRate) => {
    const other = pcm16Format(1, 8000);
    other.writeUInt16LE(channels, 2);
    other.writeUInt32LE(sampleRate, 4);
    expect(readTelephoneFormat(other)).toBeUndefined();
  });

  it.each([
    ['another encoding', 0, 3],
    ['8 bits', 14, 8],
  ])('the format of a recording is not one with %s', (_title, at, value) => {
    const other = pcm16Format(1, 8000);
    other.writeUInt16LE(value, at);
    expect(readTelephoneFormat(other)).toBeUndefined();
  });
});
