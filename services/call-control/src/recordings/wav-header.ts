import { pcm16Format, readTelephoneFormat, readWavChunks } from '@parley/audio';

/** The header of a WAV file. */
export interface WavHeader {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bytesPerSecond: number;
  /** The offset of the samples. */
  readonly dataStart: number;
}

/** Enough for the header of any file a switch writes. */
export const HEADER_BYTES = 4096;

/** Reads the header; undefined for anything that is no recording of a telephone call. */
export function readWavHeader(bytes: Buffer): WavHeader | undefined {
  const chunks = readWavChunks(bytes);
  const audio = chunks && readTelephoneFormat(chunks.format);
  if (!audio) return undefined;
  const consistent = pcm16Format(audio.channels, audio.sampleRate);
  if (!consistent.equals(chunks.format.subarray(0, consistent.length))) return undefined;
  return { ...audio, bytesPerSecond: audio.sampleRate * audio.channels * 2, dataStart: chunks.dataStart };
}

/**
 * The header with the sizes that the file really has, whatever it says: players do not play what is beyond. A switch that was
 * killed while recording leaves zero or a size that was not reached, and one that wrote a file twice one that is too small.
 */
export function repairedHeader(bytes: Buffer, { dataStart }: WavHeader, fileBytes: number): Buffer {
  const repaired = Buffer.from(bytes);
  repaired.writeUInt32LE(fileBytes - 8, 4);
  repaired.writeUInt32LE(fileBytes - dataStart, dataStart - 4);
  return repaired;
}
