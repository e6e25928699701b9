const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

interface Wav {
  /** The `fmt ` chunk's content: how samples are encoded. */
  readonly format: Uint8Array;
  readonly samples: Uint8Array;
}

/** One WAV file with the samples of all, in order. They must have the same format. */
export function joinWavs(files: readonly Uint8Array[]): Uint8Array {
  const wavs = files.map(readWav);
  const [first] = wavs;
  if (!first) throw new Error('nothing to join');
  if (wavs.some(({ format }) => Buffer.compare(format, first.format) !== 0))
    throw new Error('cannot join WAV files of different formats');
  const length = wavs.reduce((sum, { samples }) => sum + samples.length, 0);
  const header = Buffer.alloc(RIFF_HEADER_BYTES + 2 * CHUNK_HEADER_BYTES + first.format.length);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(header.length - CHUNK_HEADER_BYTES + length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(first.format.length, 16);
  header.set(first.format, 20);
  header.write('data', 20 + first.format.length, 'latin1');
  header.writeUInt32LE(length, 24 + first.format.length);
  return Buffer.concat([header, ...wavs.map(({ samples }) => samples)]);
}

function readWav(file: Uint8Array): Wav {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE')
    throw new Error('not a WAV file');
  let format: Uint8Array | undefined;
  let at = RIFF_HEADER_BYTES;
  while (at + CHUNK_HEADER_BYTES <= bytes.length) {
    const name = bytes.toString('latin1', at, at + 4);
    const start = at + CHUNK_HEADER_BYTES;
    // A file that was streamed gives no true length: its samples go on to the end.
    const end = Math.min(start + bytes.readUInt32LE(at + 4), bytes.length);
    if (name === 'fmt ') format = bytes.subarray(start, end);
    if (name === 'data' && format) return { format, samples: bytes.subarray(start, end) };
    // Chunks begin at even offsets.
    at = end + (end % 2);
  }
  throw new Error('a WAV file without samples');
}
