import type { JobContext } from '../workers/serve-jobs.ts';
import type { Endpoint } from '../remote/endpoint.ts';
import type { Calculation } from '../workers/calculation.ts';
import type { speechOfWav } from './speech-of-samples.ts';

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

/** Text to speech: local engines or a remote endpoint. */
export interface Synthesizer {
  synthesize(utterance: Utterance, context: JobContext): Promise<Speech>;
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
  return {
    async synthesize(utterance, context) {
      const wanted = { model, voice: utterance.voice || voice, input: utterance.text, response_format: 'wav' };
      const wav = await endpoint.post('/audio/speech', wanted, context.signal);
      const samples = await read({ wav }, context);
      if (!samples) throw new Error('/audio/speech did not return a WAV file');
      return { samples, engine: model };
    },
  };
}
