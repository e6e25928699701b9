import { repeatIfLost } from '../workers/worker.ts';
import type { Stretch } from './utterance.ts';
import type { Words } from './utterance-recognizer.ts';

/** What has been recognised of a stream, and is being recognised. */
export interface Recognitions {
  /**
   * The words in these stretches of the audio. What was asked for before is not recognised again, and what is no longer asked for is
   * cancelled.
   */
  wordsOf(sounds: readonly Stretch[]): Promise<readonly Words[]>;
}

interface Recognition {
  readonly words: Promise<Words>;
  readonly cancel: AbortController;
}

export function createRecognitions(
  recognize: (sound: Stretch, cancelled: AbortSignal) => Promise<Words>,
): Recognitions {
  const current = new Map<string, Recognition>();
  const keyOf = ({ startMs, endMs }: Stretch) => `${startMs}-${endMs}`;

  function start(sound: Stretch): Recognition {
    const cancel = new AbortController();
    const words = repeatIfLost(() => recognize(sound, cancel.signal));
    const recognition = { words, cancel };
    current.set(keyOf(sound), recognition);
    return recognition;
  }

  return {
    async wordsOf(sounds) {
      const wanted = new Set(sounds.map(keyOf));
      for (const [key, { cancel }] of current) {
        if (wanted.has(key)) continue;
        current.delete(key);
        cancel.abort();
      }
      return Promise.all(sounds.map((sound) => (current.get(keyOf(sound)) ?? start(sound)).words));
    },
  };
}

/** The parts of an utterance as one; a long part says more about how sure the words are. */
export function joinWords(parts: readonly Words[]): Words {
  const spoken = parts.filter(({ text }) => text !== '');
  const text = spoken.map((part) => part.text).join(' ');
  const sum = spoken.reduce((total, part) => total + part.confidence * part.text.length, 0);
  const length = spoken.reduce((total, part) => total + part.text.length, 0);
  return { text, confidence: length === 0 ? 0 : sum / length };
}
