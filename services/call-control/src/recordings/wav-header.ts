/** What the beginning of a WAV file says. */
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
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let format: Omit<WavHeader, 'dataStart'> | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const [name, size] = [bytes.toString('latin1', at, at + 4), bytes.readUInt32LE(at + 4)];
    const body = at + 8;
    if (name === 'fmt ' && body + 16 <= bytes.length)
      format = {
        channels: bytes.readUInt16LE(body + 2),
        sampleRate: bytes.readUInt32LE(body + 4),
        bytesPerSecond: bytes.readUInt32LE(body + 8),
      };
    if (name === 'data') return format && format.bytesPerSecond > 0 ? { ...format, dataStart: body } : undefined;
    at = body + size + (size % 2);
  }
  return undefined;
}

/**
 * The header with the sizes that the file really has. A switch that was killed while recording leaves a header that
 * says zero, and players take the file for empty.
 */
export function repairedHeader(bytes: Buffer, { dataStart }: WavHeader, fileBytes: number): Buffer {
  const repaired = Buffer.from(bytes);
  repaired.writeUInt32LE(fileBytes - 8, 4);
  repaired.writeUInt32LE(fileBytes - dataStart, dataStart - 4);
  return repaired;
}
