import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Channel } from '@parley/rpc';
import { type Prompt, promptKey } from './prompt.ts';
import { splitText } from './split-text.ts';
import { joinWavs } from './wav.ts';

/** A prompt, spoken. */
export interface Speech {
  readonly audio: Uint8Array;
  readonly contentType: string;
  readonly durationMs: number;
  readonly engine: string;
}

/** Speaks a prompt, however long; throws when the speech service cannot. */
export type Speak = (prompt: Prompt) => Promise<Speech>;

/** Waiting behind others included. */
const PART_TIMEOUT_MS = 60_000;

export interface Speaker {
  readonly speak: Speak;
  /** When the speech service last spoke anything, in milliseconds of `performance.now()`. */
  spokeAt(): number;
}

/** Whoever asks for a prompt that is being spoken already gets the same speech. */
export function speechClient(channel: Channel): Speaker {
  const speech = channel.client(SpeechService);
  const speaking = new Map<string, Promise<Speech>>();
  let spokeAt = 0;

  async function speak({ text, language, voice }: Prompt): Promise<Speech> {
    const parts: Speech[] = [];
    for (const part of splitText(text, language)) {
      parts.push(await speech.synthesize({ text: part, language, voice }, { timeoutMs: PART_TIMEOUT_MS }));
      spokeAt = performance.now();
    }
    return joinSpeech(parts);
  }

  return {
    spokeAt: () => spokeAt,
    speak(prompt) {
      const key = promptKey(prompt);
      const known = speaking.get(key);
      if (known) return known;
      const begun = speak(prompt).finally(() => speaking.delete(key));
      speaking.set(key, begun);
      return begun;
    },
  };
}

function joinSpeech(parts: readonly Speech[]): Speech {
  const [first] = parts;
  if (!first || parts.some(({ audio }) => audio.length === 0)) throw new Error('the speech service said nothing');
  if (parts.length === 1) return first;
  const audios = parts.map(({ audio }) => audio);
  return {
    // MPEG audio is a row of frames that can simply go on; WAV has a header that counts.
    audio: first.contentType === 'audio/mpeg' ? Buffer.concat(audios) : joinWavs(audios),
    contentType: first.contentType,
    durationMs: parts.reduce((sum, { durationMs }) => sum + durationMs, 0),
    engine: first.engine,
  };
}
