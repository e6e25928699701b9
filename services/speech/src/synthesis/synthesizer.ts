import { SPEECH_RATE, TELEPHONE_RATE } from '../audio/speech-samples.ts';
import type { JobContext } from '../workers/serve-jobs.ts';
import type { Endpoint } from '../remote/endpoint.ts';
import type { Calculation } from '../workers/calculation.ts';
import type { speechOfWav } from './speech-of-samples.ts';
import { splitForPlaying } from './split-for-speech.ts';

/** A text to synthesize. */
export interface Utterance {
  readonly text: string;
  /** Language code such as `da` or `pt-BR`. */
  readonly language: string;
  /** A voice of the engine; empty for the language's own. */
  readonly voice: string;
}

interface Speech {
  /** At `SPEECH_RATE`, one channel. Empty when the text holds nothing that can be pronounced. */
  readonly samples: Int16Array;
  readonly engine: string;
}

/** A sentence, or a part of a long one. */
export interface SpeechPart {
  readonly text: string;
  /** At `TELEPHONE_RATE`, with the pause before the next part. */
  readonly samples: Int16Array;
  readonly engine: string;
  readonly isLast: boolean;
  /** Another voice than the one that was asked for. */
  readonly standsIn: boolean;
}

/** Text to speech: local engines or a remote endpoint. */
export interface Synthesizer {
  synthesize(utterance: Utterance, context: JobContext): Promise<Speech>;
  /** For a caller who hears the first part while the next one is made; at least one, which may be empty. */
  synthesizeParts(utterance: Utterance, context: JobContext): AsyncGenerator<SpeechPart>;
  /** Loads the voices of these languages, and keeps them until it is called without them. */
  keepLoaded(languages: ReadonlySet<string>): Promise<void>;
}

const SENTENCE_PAUSE_MS = 220;
const SENTENCE_END = /[.!?…。！？]["'”’)]?$/u;

/** What is left around speech is pause enough after a comma. */
export function withPause(samples: Int16Array, text: string): Int16Array {
  if (!SENTENCE_END.test(text)) return samples;
  const paused = new Int16Array(samples.length + (SENTENCE_PAUSE_MS * TELEPHONE_RATE) / 1000);
  paused.set(samples);
  return paused;
}

interface RemoteSynthesizerOptions {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** The default voice. */
  readonly voice: string;
  readonly speechOfWav: Calculation<typeof speechOfWav>;
}

/** `POST /audio/speech`. The endpoint detects the language. */
export function remoteSynthesizer({
  endpoint,
  model,
  voice,
  speechOfWav: read,
}: RemoteSynthesizerOptions): Synthesizer {
  async function speak({ text, voice: wanted }: Utterance, wantedRate: number, context: JobContext) {
    const request = { model, voice: wanted || voice, input: text, response_format: 'wav' };
    const wav = await endpoint.post('/audio/speech', request, context.signal);
    const samples = await read({ wav, wantedRate }, context);
    if (!samples) throw new Error('/audio/speech did not return a WAV file');
    return samples;
  }

  return {
    async synthesize(utterance, context) {
      return { samples: await speak(utterance, SPEECH_RATE, context), engine: model };
    },
    async *synthesizeParts(utterance, context) {
      const pieces = splitForPlaying(utterance.text, utterance.language);
      for (const [index, text] of pieces.entries()) {
        const samples = await speak({ ...utterance, text }, TELEPHONE_RATE, context);
        const isLast = index === pieces.length - 1;
        yield { text, samples: isLast ? samples : withPause(samples, text), engine: model, isLast, standsIn: false };
      }
      if (pieces.length === 0)
        yield { text: '', samples: new Int16Array(), engine: model, isLast: true, standsIn: false };
    },
    keepLoaded: async () => undefined,
  };
}
