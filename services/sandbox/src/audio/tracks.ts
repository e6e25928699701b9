import { clamp, resample } from './resample.ts';
import { durationMs, type Sound } from './wav.ts';

/** A piece of sound in a recording. */
export interface Piece {
  /** 0: audio of the phone, 1: audio to the phone. */
  readonly track: 0 | 1;
  /** When it begins, in milliseconds from the start of the recording. */
  readonly startMs: number;
  readonly sound: Sound;
}

/** Real phones send no audio in silence; longer pauses are shortened to a second. */
const PAUSE_MAX_MS = 1000;

/** Computes where the pieces begin once long pauses are cut, and where the recording ends. */
function place(
  pieces: readonly Piece[],
  endMs: number,
): { placed: { piece: Piece; atMs: number }[]; lengthMs: number } {
  const placed: { piece: Piece; atMs: number }[] = [];
  let cutMs = 0;
  let soundEndMs = 0;
  for (const piece of [...pieces].sort((one, other) => one.startMs - other.startMs)) {
    cutMs += Math.max(0, piece.startMs - soundEndMs - PAUSE_MAX_MS);
    // Never before what it follows: the recording cannot go back.
    placed.push({ piece, atMs: piece.startMs - cutMs });
    soundEndMs = Math.max(soundEndMs, piece.startMs + durationMs(piece.sound));
  }
  cutMs += Math.max(0, endMs - soundEndMs - PAUSE_MAX_MS);
  return { placed, lengthMs: Math.max(0, endMs - cutMs) };
}

export function mixedLengthMs(pieces: readonly Piece[], endMs: number): number {
  return place(pieces, endMs).lengthMs;
}

/** Lays the pieces out on two tracks of equal length. Pieces that overlap stay so; long pauses are cut. */
export function mixTracks(pieces: readonly Piece[], endMs: number, sampleRate: number): [Int16Array, Int16Array] {
  const { placed, lengthMs } = place(pieces, endMs);
  const frames = Math.ceil((lengthMs / 1000) * sampleRate);
  const tracks: [Int16Array, Int16Array] = [new Int16Array(frames), new Int16Array(frames)];
  for (const { piece, atMs } of placed) {
    const track = tracks[piece.track];
    const start = Math.round((atMs / 1000) * sampleRate);
    resample(piece.sound, sampleRate).forEach((sample, index) => {
      if (start + index < frames) track[start + index] = clamp(track[start + index]! + sample);
    });
  }
  return tracks;
}

/** Both tracks in one. */
export function mixDown([sent, received]: readonly [Int16Array, Int16Array]): Int16Array {
  return sent.map((sample, index) => clamp(sample + (received[index] ?? 0)));
}
