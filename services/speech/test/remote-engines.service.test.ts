import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readWav, writeWav } from '@parley/audio';
import { listenToCall, pcmOfWav, recognizedIn, silence } from './calls.ts';
import { type OpenAiServer, startOpenAiServer } from './openai-server.ts';
import { recordedSpeech } from './spoken/telephone.ts';
import { startSpeech, type TestSpeech, TIME_LIMIT_MS } from './start-speech.ts';

let api: OpenAiServer;
let service: TestSpeech;
beforeAll(async () => {
  api = await startOpenAiServer();
  const { url } = api;
  service = await startSpeech({
    SYNTHESIS_URL: url,
    SYNTHESIS_MODEL: 'tts-large',
    SYNTHESIS_API_KEY: 'secret-of-speaking',
    SYNTHESIS_VOICE: 'coral',
    TRANSCRIPTION_URL: url,
    TRANSCRIPTION_MODEL: 'stt-large',
    SUMMARY_URL: url,
    SUMMARY_MODEL: 'chat-large',
    EMBEDDING_URL: `${url}/`,
    EMBEDDING_MODEL: 'embed-large',
  });
});
afterAll(async () => {
  await service.stop();
  api.stop();
});
beforeEach(() => {
  api.failure = undefined;
  api.requests.length = 0;
});

const json = () => JSON.parse(api.requests[0]!.body.toString()) as Record<string, unknown>;

describe('an OpenAI-compatible endpoint', () => {
  it('an OpenAI-compatible endpoint synthesizes in our own format', async () => {
    const spoken = await service.speech.synthesize({ text: 'Hej', language: 'da' });
    expect(api.requests[0]).toMatchObject({ path: '/v1/audio/speech', authorization: 'Bearer secret-of-speaking' });
    expect(json()).toEqual({ model: 'tts-large', voice: 'coral', input: 'Hej', response_format: 'wav' });
    expect(spoken).toMatchObject({ contentType: 'audio/wav', engine: 'tts-large' });
    const { rate, channels } = readWav(spoken.audio)!;
    expect({ rate, count: channels.length }).toEqual({ rate: 16_000, count: 1 });
    expect(channels[0]!.length / rate).toBeCloseTo(1, 1);
  });

  it('an OpenAI-compatible endpoint synthesizes with the requested voice', async () => {
    await service.speech.synthesize({ text: 'Hej', language: 'da', voice: 'sage' });
    expect(json()).toMatchObject({ voice: 'sage' });
  });

  it('an OpenAI-compatible endpoint transcribes each channel with speech', async () => {
    const tone = Int16Array.from({ length: 16_000 * 2 * 3 }, (_, i) => (i % 2 ? 8000 * Math.sin(i / 20) : 0));
    const wav = writeWav([tone], 16_000);
    wav.writeUInt16LE(2, 22);
    wav.writeUInt16LE(4, 32);
    const transcript = await service.speech.transcribe({ audio: wav, language: 'en-GB' });
    expect(api.requests).toHaveLength(1);
    expect(api.requests[0]).toMatchObject({ path: '/v1/audio/transcriptions', authorization: undefined });
    const form = await new Response(Uint8Array.from(api.requests[0]!.body), {
      headers: { 'Content-Type': api.requests[0]!.type! },
    }).formData();
    expect(['model', 'language', 'response_format'].map((field) => form.get(field))).toEqual([
      'stt-large',
      'en',
      'verbose_json',
    ]);
    const sent = readWav(new Uint8Array(await (form.get('file') as unknown as Blob).arrayBuffer()))!;
    expect({ rate: sent.rate, count: sent.channels.length }).toEqual({ rate: 16_000, count: 1 });
    expect(transcript).toMatchObject({ channelCount: 2, durationMs: 3000, engine: 'stt-large' });
    expect(transcript.segments).toMatchObject([
      { channel: 1, startMs: 500, endMs: 1250, text: 'Hello there.' },
      { channel: 1, startMs: 1500, endMs: 2000, text: 'How are you?' },
    ]);
  });

  it('an OpenAI-compatible endpoint summarises', async () => {
    const { summary, engine } = await service.speech.summarize({ text: 'I want my money back.', language: 'en' });
    expect({ summary, engine }).toEqual({ summary: 'A refund was agreed.', engine: 'chat-large' });
    expect(json()).toMatchObject({
      model: 'chat-large',
      messages: [{ role: 'system' }, { content: 'I want my money back.' }],
    });
  });

  it('an OpenAI-compatible endpoint embeds, in the order of the texts and with length one', async () => {
    const { vectors, model, dimensions } = await service.speech.embed({ texts: ['a', 'bb'] });
    expect(json()).toEqual({ model: 'embed-large', input: ['a', 'bb'] });
    expect({ model, dimensions }).toEqual({ model: 'embed-large', dimensions: 2 });
    for (const { values } of vectors) expect(values.map((value) => Number(value.toFixed(3)))).toEqual([0.6, 0.8]);
  });

  it('an OpenAI-compatible endpoint synthesizes sentence by sentence, and no more than is wanted', async () => {
    const assistant = service.as('assistant');
    const parts = await Array.fromAsync(assistant.synthesizeStream({ text: 'Hej. Farvel.', language: 'da' }));
    expect(parts).toMatchObject([
      { text: 'Hej.', engine: 'tts-large', last: false },
      { text: 'Farvel.', engine: 'tts-large', last: true },
    ]);
    expect(parts.map(({ audio: pcm }) => pcm.length / 16_000)).toEqual([expect.closeTo(1.22, 1), expect.closeTo(1, 1)]);
    api.requests.length = 0;
    for await (const _ of assistant.synthesizeStream({ text: 'Hej. '.repeat(100), language: 'da' })) break;
    expect(api.requests.length).toBeLessThan(20);
  });

  it(
    'an OpenAI-compatible endpoint recognises calls in any language, with one request for each utterance',
    async () => {
      const person = pcmOfWav(await recordedSpeech()).subarray(0, 16_000 * 2.5);
      const heard = await listenToCall(service.as('assistant'), Buffer.concat([person, silence(600)]), {
        language: 'da-DK',
        timeoutMs: TIME_LIMIT_MS,
      });
      expect(recognizedIn(heard)).toMatchObject([{ text: 'Hello there. How are you?', confidence: 1 }]);
      expect(api.requests.map(({ path }) => path)).toEqual(['/v1/audio/transcriptions']);
      const form = await new Response(Uint8Array.from(api.requests[0]!.body), {
        headers: { 'Content-Type': api.requests[0]!.type! },
      }).formData();
      expect(form.get('language')).toBe('da');
      const sent = readWav(new Uint8Array(await (form.get('file') as unknown as Blob).arrayBuffer()))!;
      expect({ rate: sent.rate, count: sent.channels.length }).toEqual({ rate: 8000, count: 1 });
    },
    TIME_LIMIT_MS,
  );

  it(
    'an OpenAI-compatible endpoint that fails ends a call that is listened to',
    async () => {
      api.failure = { status: 500 };
      const person = pcmOfWav(await recordedSpeech());
      const heard = listenToCall(service.as('assistant'), person, { timeoutMs: TIME_LIMIT_MS });
      await expect(heard).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
    },
    TIME_LIMIT_MS,
  );

  it.each([{ status: 500 }, { status: 429 }, { status: 302, headers: { Location: 'http://127.0.0.1:9/' } }])(
    'an OpenAI-compatible endpoint that answers $status is a failure of speech, not of the caller',
    async (failure) => {
      api.failure = failure;
      const spoken = service.speech.synthesize({ text: 'Hej', language: 'da' });
      await expect(spoken).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
      await expect(spoken).rejects.not.toThrow(/overloaded|127/);
    },
  );
});
