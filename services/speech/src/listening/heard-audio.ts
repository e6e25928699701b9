import { toFloat32 } from '@parley/audio';
import { loudness } from '../audio/loudness.ts';
import { TELEPHONE_RATE } from '../audio/speech-samples.ts';

const SAMPLES_PER_MS = TELEPHONE_RATE / 1000;

/** The latest audio of a stream, by times since its start. */
export interface HeardAudio {
  readonly endMs: number;
  append(samples: Int16Array): void;
  /** What is still there between these times. */
  between(startMs: number, endMs: number): Int16Array;
  forgetBefore(ms: number): void;
}

export function createHeardAudio(): HeardAudio {
  let chunks: Int16Array[] = [];
  /** The first sample that is kept, and the one after the last. */
  let start = 0;
  let end = 0;

  return {
    get endMs() {
      return end / SAMPLES_PER_MS;
    },
    append(samples) {
      chunks.push(samples);
      end += samples.length;
    },
    between(startMs, endMs) {
      const from = Math.max(start, Math.round(startMs * SAMPLES_PER_MS));
      const to = Math.min(end, Math.round(endMs * SAMPLES_PER_MS));
      const found = new Int16Array(Math.max(0, to - from));
      // Mostly the newest audio is wanted.
      for (let i = chunks.length - 1, at = end; i >= 0 && at > from; i -= 1) {
        const chunk = chunks[i]!;
        at -= chunk.length;
        const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at));
        if (part.length > 0) found.set(part, Math.max(0, at - from));
      }
      return found;
    },
    forgetBefore(ms) {
      let count = 0;
      while (count < chunks.length && start + chunks[count]!.length <= ms * SAMPLES_PER_MS) {
        start += chunks[count]!.length;
        count += 1;
      }
      if (count > 0) chunks = chunks.slice(count);
    },
  };
}

const LOUDNESS_MS = 20;

/** The quietest moment of some audio, in ms of it: where speech without a pause is cut, which is seldom within a word. */
export function quietestMs(audio: Int16Array): number {
  const levels = loudness(toFloat32(audio), LOUDNESS_MS * SAMPLES_PER_MS);
  return levels.indexOf(Math.min(...levels)) * LOUDNESS_MS;
}
