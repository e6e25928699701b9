import { isWav, readWavChunks, wavHeader } from '@parley/audio';

interface Wav {
  /** The encoding of the samples, from the file's header. */
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
  return Buffer.concat([wavHeader(first.format, length), ...wavs.map(({ samples }) => samples)]);
}

function readWav(file: Uint8Array): Wav {
  if (!isWav(file)) throw new Error('not a WAV file');
  const chunks = readWavChunks(file);
  if (!chunks) throw new Error('a WAV file without samples');
  return { format: chunks.format, samples: file.subarray(chunks.dataStart, chunks.dataEnd) };
}
