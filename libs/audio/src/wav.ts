const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** A `fmt ` chunk without extensions. */
const FORMAT_BYTES_MIN = 16;
const PCM = 1;

/** The positions of the chunks of a WAV file. */
export interface WavChunks {
  /** The content of the `fmt ` chunk: encoding, channels, rate, bytes a second, bytes a frame, bits a sample. */
  readonly format: Buffer;
  /** The samples' range within the given bytes. */
  readonly dataStart: number;
  readonly dataEnd: number;
}

/** Checks the header only. */
export function isWav(file: Uint8Array): boolean {
  const bytes = view(file);
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WAVE';
}

/** Finds the format and the samples of a WAV file, or of its beginning; undefined when either is missing. */
export function readWavChunks(file: Uint8Array): WavChunks | undefined {
  if (!isWav(file)) return undefined;
  const bytes = view(file);
  let format: Buffer | undefined;
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const start = at + CHUNK_HEADER_BYTES;
    const stated = start + bytes.readUInt32LE(at + 4);
    // A streamed file has no valid length: its samples extend to the end.
    const end = Math.min(stated, bytes.length);
    if (name === 'fmt ' && end - start >= FORMAT_BYTES_MIN) format = bytes.subarray(start, end);
    if (name === 'data') return format && { format, dataStart: start, dataEnd: end };
    // Chunks begin at even offsets.
    at = stated + (stated % 2);
  }
  return undefined;
}

/** The header of a WAV file: samples of `dataBytes` bytes follow it. */
export function wavHeader(format: Uint8Array, dataBytes: number): Buffer {
  const header = Buffer.alloc(RIFF_HEADER_BYTES + 2 * CHUNK_HEADER_BYTES + format.length);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(header.length - CHUNK_HEADER_BYTES + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(format.length, 16);
  header.set(format, 20);
  header.write('data', 20 + format.length, 'latin1');
  header.writeUInt32LE(dataBytes, 24 + format.length);
  return header;
}

/** The format of 16-bit PCM samples. */
export function pcm16Format(channels: number, sampleRate: number): Buffer {
  const format = Buffer.alloc(FORMAT_BYTES_MIN);
  format.writeUInt16LE(PCM, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE(sampleRate * channels * 2, 8);
  format.writeUInt16LE(channels * 2, 12);
  format.writeUInt16LE(16, 14);
  return format;
}

/** Samples that telephones produce. */
export interface TelephoneAudio {
  readonly sampleRate: number;
  readonly channels: 1 | 2;
}

export const SAMPLE_RATE_MIN = 8000;
export const SAMPLE_RATE_MAX = 48_000;

/**
 * Reads the format of a recording: 16-bit PCM with one or two channels, 8 to 48 kHz; undefined for any other. The cost
 * of everything that is done with the samples depends on these numbers.
 */
export function readTelephoneFormat(format: Buffer): TelephoneAudio | undefined {
  if (format.length < FORMAT_BYTES_MIN || format.readUInt16LE(0) !== PCM || format.readUInt16LE(14) !== 16)
    return undefined;
  const channels = format.readUInt16LE(2);
  const sampleRate = format.readUInt32LE(4);
  if (channels !== 1 && channels !== 2) return undefined;
  return sampleRate < SAMPLE_RATE_MIN || sampleRate > SAMPLE_RATE_MAX ? undefined : { sampleRate, channels };
}

function view(file: Uint8Array): Buffer {
  return Buffer.from(file.buffer, file.byteOffset, file.byteLength);
}
