import { writeWav } from '@parley/audio';
import { HttpError } from '@parley/http';
import { Priority, SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { Channel as RpcChannel } from '@parley/rpc';
import { LRUCache } from 'lru-cache';
import { readWav, type Sound } from '../audio/wav.ts';
import type { Recognise } from '../legs/heard-voice.ts';

/** Speech of the simulated callers, and their ears. */
export interface Voice {
  speak(text: string, language: string): Promise<Sound>;
  readonly recognise: Recognise;
}

const CACHE_SIZE_MAX = 200;
/** A machine that is busy takes its time for a long text. */
const SPEAK_LIMIT_MS = 120_000;
const RECOGNISE_LIMIT_MS = 120_000;

/** Caches the audio of the speech service, because tests repeat the same texts. */
export function speechServiceVoice(speech: RpcChannel): Voice {
  const client = speech.client(SpeechService);
  const cache = new LRUCache<string, Sound>({ max: CACHE_SIZE_MAX });
  return {
    async speak(text, language) {
      const key = `${language} ${text}`;
      const known = cache.get(key);
      if (known) return known;
      // A person does not wait until the machine has time to speak.
      const request = { text, language, priority: Priority.CALL };
      const { audio } = await client.synthesize(request, { timeoutMs: SPEAK_LIMIT_MS });
      const sound = readWav(Buffer.from(audio));
      if (!sound) throw new HttpError(502, { error: 'speech_failed', code: 'speech_failed' });
      cache.set(key, sound);
      return sound;
    },
    async recognise({ samples, sampleRate }) {
      const audio = writeWav([samples], sampleRate);
      const { segments } = await client.transcribe({ audio }, { timeoutMs: RECOGNISE_LIMIT_MS });
      return segments.map(({ text }) => text.trim()).join(' ');
    },
  };
}

/** Without a speech service there is no speech. */
export const noVoice: Voice = {
  speak: () => Promise.reject(unavailable()),
  recognise: () => Promise.reject(unavailable()),
};

const unavailable = () => new HttpError(502, { error: 'speech_unavailable', code: 'speech_unavailable' });
