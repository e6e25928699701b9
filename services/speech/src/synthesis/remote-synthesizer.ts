import type { Endpoint } from '../remote/endpoint.ts';
import type { Calculation } from '../workers/calculation.ts';
import type { speechOfWav } from './speech-of-samples.ts';
import type { Synthesizer } from './synthesizer.ts';

export interface RemoteSynthesizerOptions {
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
