import { resample } from '@parley/audio';
import { loudness } from './loudness.ts';

/**
 * The sample rate of synthesized speech: wide enough for a loudspeaker, an exact multiple of the telephone's 8 kHz,
 * and the same from every engine, so that pieces can be joined.
 */
export const SPEECH_RATE = 16_000;

const FRAMES_PER_SECOND = 100;
const LEAD_FRAMES = 6;
const TAIL_FRAMES = 12;
/** About -50 dB: below what a telephone carries. */
const SILENCE = 0.003;

/** The telephone's. */
export const TELEPHONE_RATE = 8000;

/** The output of an engine at our rate, in 16 bits, without surrounding silence. */
export function speechSamples(samples: Float32Array, from: number, to = SPEECH_RATE): Int16Array {
  return toInt16(trimSilence(resample(samples, from, to), to));
}

/** Leaves 60 ms before the first sound and 120 ms after the last: engines add up to half a second of nothing. */
export function trimSilence(samples: Float32Array, rate = SPEECH_RATE): Float32Array {
  const frameLength = rate / FRAMES_PER_SECOND;
  const frames = loudness(samples, frameLength);
  const threshold = Math.max(SILENCE, 0.02 * frames.reduce((a, b) => Math.max(a, b), 0));
  const first = frames.findIndex((level) => level > threshold);
  if (first === -1) return samples.subarray(0, 0);
  const last = frames.findLastIndex((level) => level > threshold);
  return samples.subarray(Math.max(0, first - LEAD_FRAMES) * frameLength, (last + 1 + TAIL_FRAMES) * frameLength);
}

/** Loud passages are attenuated as a whole: clipping would be audible. */
export function toInt16(samples: Float32Array): Int16Array {
  const peak = samples.reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  const gain = 32_767 * (peak > 1 ? 1 / peak : 1);
  return Int16Array.from(samples, (sample) => Math.round(sample * gain));
}

/** One after the other, with a short pause between. */
export function joinSpeech(pieces: readonly Int16Array[], pauseMs: number): Int16Array {
  const pause = Math.round((pauseMs * SPEECH_RATE) / 1000);
  const spoken = pieces.filter(({ length }) => length > 0);
  const joined = new Int16Array(spoken.reduce((sum, { length }) => sum + length + pause, 0) - (spoken.length && pause));
  let at = 0;
  for (const piece of spoken) {
    joined.set(piece, at);
    at += piece.length + pause;
  }
  return joined;
}
