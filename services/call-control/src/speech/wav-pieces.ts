import { pcm16Format, wavHeader } from '@parley/audio';
import type { WavHeader } from '../recordings/wav-header.ts';

const PIECE_SECS_MAX = 60;
/** The recogniser takes 8 MB at once. */
const PIECE_BYTES_MAX = 7_000_000;
const SAMPLE_BYTES = 2;

/** The byte range of a piece in a file of samples; frames are not split. */
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

/** The samples as a separate file. */
export function wavFile(header: WavHeader, samples: Buffer): Buffer {
  return Buffer.concat([wavHeader(pcm16Format(header.channels, header.sampleRate), samples.length), samples]);
}
