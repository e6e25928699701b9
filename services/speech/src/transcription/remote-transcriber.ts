import { z } from 'zod';
import type { Calculator } from '../calculations/calculator.ts';
import type { Endpoint } from '../remote/endpoint.ts';
import { cleanWords } from './clean-words.ts';
import type { Segment, Transcriber } from './transcriber.ts';

export interface RemoteTranscriberOptions {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** Not every model tells times: one that does not is asked for `json` and gives one segment for each speaker. */
  readonly format: 'verbose_json' | 'json';
  readonly calculate: Calculator;
}

const answerJson = z.object({
  text: z.string(),
  segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).optional(),
});

/** `POST /audio/transcriptions`, once for each channel on which somebody speaks. */
export function remoteTranscriber({ endpoint, model, format, calculate }: RemoteTranscriberOptions): Transcriber {
  async function hear(wav: Uint8Array, language: string, signal: AbortSignal) {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(wav)], { type: 'audio/wav' }), 'recording.wav');
    form.set('model', model);
    form.set('response_format', format);
    const base = language.toLowerCase().split(/[-_]/)[0];
    if (base) form.set('language', base);
    return answerJson.parse(await endpoint.postForJson('/audio/transcriptions', form, signal));
  }

  return {
    async transcribe({ wav, language }, signal) {
      const recording = await calculate('channelsOf', { wav }, signal);
      if (!recording) return undefined;
      const { channelCount, durationMs, spoken } = recording;
      const segments: Segment[] = [];
      for (const { channel, wav: oneChannel } of spoken) {
        const { text, segments: timed } = await hear(oneChannel, language, signal);
        const heard = timed ?? [{ start: 0, end: durationMs / 1000, text }];
        for (const { start, end, text: words } of heard) {
          const clean = cleanWords(words);
          if (clean === '') continue;
          segments.push({ channel, startMs: Math.round(start * 1000), endMs: Math.round(end * 1000), text: clean });
        }
      }
      return { segments: segments.toSorted((a, b) => a.startMs - b.startMs), channelCount, durationMs, engine: model };
    },
  };
}
