import type { Endpoint } from '../remote/endpoint.ts';

/** An OpenAI-compatible API that recognises speech. */
export interface RemoteRecognizer {
  readonly endpoint: Endpoint;
  readonly model: string;
  /** Models without timestamps need `json`. */
  readonly format: 'verbose_json' | 'json';
}

/** `POST /audio/transcriptions`: the answer as it came. An empty language is left to the endpoint to find out. */
export function requestTranscription(
  { endpoint, model, format }: RemoteRecognizer,
  wav: Uint8Array,
  language: string,
  signal: AbortSignal,
): Promise<unknown> {
  const form = new FormData();
  form.set('file', new Blob([Uint8Array.from(wav)], { type: 'audio/wav' }), 'recording.wav');
  form.set('model', model);
  form.set('response_format', format);
  const base = language.toLowerCase().split(/[-_]/)[0];
  if (base) form.set('language', base);
  return endpoint.postForJson('/audio/transcriptions', form, signal);
}
