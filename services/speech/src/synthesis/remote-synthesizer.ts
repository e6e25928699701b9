import type { Calculator } from '../calculations/calculator.ts';
import type { Endpoint } from '../remote/endpoint.ts';
import type { Synthesizer } from './synthesizer.ts';

export interface RemoteSynthesizerOptions {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** The voice where none is asked for. */
  readonly voice: string;
  readonly calculate: Calculator;
}

/** `POST /audio/speech`. The endpoint finds the language out by itself. */
export function remoteSynthesizer({ endpoint, model, voice, calculate }: RemoteSynthesizerOptions): Synthesizer {
  return {
    async synthesize(utterance, signal) {
      const wanted = { model, voice: utterance.voice || voice, input: utterance.text, response_format: 'wav' };
      const wav = await endpoint.post('/audio/speech', wanted, signal);
      const samples = await calculate('speechOfWav', { wav }, signal);
      if (!samples) throw new Error('/audio/speech did not answer a WAV file');
      return { samples, engine: model };
    },
  };
}
