import type { WavHeader } from '../recordings/wav-header.ts';

const PIECE_SECS_MAX = 60;
/** The recogniser takes 8 MB at once. */
const PIECE_BYTES_MAX = 7_000_000;
const SAMPLE_BYTES = 2;

/** Where in a file of samples a piece begins and ends; a frame is never cut. */
export function pieceRange(
  { bytesPerSecond, channels, dataStart }: WavHeader,
  fileBytes: number,
  startMs: number,
): { start: number; end: number; isLast: boolean } {
  const frameBytes = channels * SAMPLE_BYTES;
  const secs = Math.max(1, Math.min(PIECE_SECS_MAX, Math.floor(PIECE_BYTES_MAX / bytesPerSecond)));
  const frames = Math.floor((startMs / 1000) * (bytesPerSecond / frameBytes));
  const start = Math.min(dataStart + frames * frameBytes, fileBytes);
  const end = Math.min(start + secs * bytesPerSecond, fileBytes);
  return { start, end, isLast: end >= fileBytes };
}

/** The samples as a file of their own. */
export function wavFile(header: WavHeader, samples: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(header.channels, 22);
  head.writeUInt32LE(header.sampleRate, 24);
  head.writeUInt32LE(header.bytesPerSecond, 28);
  head.writeUInt16LE(header.channels * SAMPLE_BYTES, 32);
  head.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
