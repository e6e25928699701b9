import { readWavChunks } from '@parley/audio';

/** The header of a WAV file. */
export interface WavHeader {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bytesPerSecond: number;
  /** Where the samples begin. */
  readonly dataStart: number;
}

/** Enough for the header of any file a switch writes. */
export const HEADER_BYTES = 4096;

/** Reads the header; undefined for anything that is no WAV file of PCM samples. */
export function readWavHeader(bytes: Buffer): WavHeader | undefined {
  const chunks = readWavChunks(bytes);
  if (!chunks) return undefined;
  const { format, dataStart } = chunks;
  const bytesPerSecond = format.readUInt32LE(8);
  if (bytesPerSecond === 0) return undefined;
  return { channels: format.readUInt16LE(2), sampleRate: format.readUInt32LE(4), bytesPerSecond, dataStart };
}

/**
 * The header with the sizes that the file really has. A switch that was killed while recording leaves a header that
 * is zero, and players treat the file as empty.
 */
export function repairedHeader(bytes: Buffer, { dataStart }: WavHeader, fileBytes: number): Buffer {
  const repaired = Buffer.from(bytes);
  repaired.writeUInt32LE(fileBytes - 8, 4);
  repaired.writeUInt32LE(fileBytes - dataStart, dataStart - 4);
  return repaired;
}
