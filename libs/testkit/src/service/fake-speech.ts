import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type ListenRequest, type ListenResponseSchema, SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { Unavailable } from '@parley/rpc';
import { type FakeContract, fakeContract } from '@parley/stubs';
import { testWav } from './test-wav.ts';

/** A speech service that returns as many samples as the text has characters. */
export interface FakeSpeech {
  readonly contracts: readonly FakeContract[];
  /** The synthesis requests it received. */
  readonly synthesized: { text: string; language: string }[];
  /** What it recognises next, utterance by utterance: any sound is voice. */
  readonly recognises: string[];
  /** The languages in which callers were said to come, message by message. */
  readonly expected: (readonly string[])[];
  /** While true every request fails. */
  broken: boolean;
  /** Whether it recognises every language, not only English. */
  listensToAnyLanguage: boolean;
  /** The engine is busy this long with each request. */
  busyMs: number;
  /** Makes the engine busy until the returned function is called. */
  hold(): () => void;
}

export function fakeSpeech(): FakeSpeech {
  let engine: Promise<unknown> = Promise.resolve();
  const speech: FakeSpeech = {
    contracts: [
      fakeContract(SpeechService, {
        async synthesize({ text, language }) {
          if (speech.broken) throw new Unavailable('no voice');
          speech.synthesized.push({ text, language });
          if (speech.busyMs > 0) engine = engine.then(() => sleep(speech.busyMs));
          await engine;
          const audio = testWav(2 * text.length, 7);
          return { audio, contentType: 'audio/wav', durationMs: text.length, engine: 'test' };
        },
        async *synthesizeStream({ text, language }) {
          if (speech.broken) throw new Unavailable('no voice');
          speech.synthesized.push({ text, language });
          const durationMs = text.length * LETTER_MS;
          yield { audio: tone(durationMs), text, durationMs, engine: 'test', last: true };
        },
        async *listen(requests) {
          if (speech.broken) throw new Unavailable('no ears');
          yield* listenTo(requests, speech.recognises);
        },
        async expectCallers({ languages }) {
          speech.expected.push(languages);
          return {};
        },
        async embed() {
          throw new Unavailable('no embeddings');
        },
        async getSpeechOptions() {
          if (speech.broken) throw new Unavailable('no engine');
          const { listensToAnyLanguage } = speech;
          return { listeningLanguages: ['en'], listensToAnyLanguage, voices: ['test-en', 'test-de'] };
        },
      }),
    ],
    synthesized: [],
    recognises: [],
    expected: [],
    broken: false,
    listensToAnyLanguage: false,
    busyMs: 0,
    hold() {
      const held = Promise.withResolvers<void>();
      engine = engine.then(() => held.promise);
      return held.resolve;
    },
  };
  return speech;
}

const LETTER_MS = 20;
const SAMPLES_PER_MS = 8;
/** Silence after which an utterance is over. */
const PAUSE_MS = 200;

function tone(durationMs: number): Uint8Array {
  const samples = Int16Array.from({ length: durationMs * SAMPLES_PER_MS }, (_, at) => (at % 16 < 8 ? 4000 : -4000));
  return new Uint8Array(samples.buffer);
}

async function* listenTo(
  requests: AsyncIterable<ListenRequest>,
  recognises: string[],
): AsyncGenerator<MessageInitShape<typeof ListenResponseSchema>> {
  let nowMs = 0;
  let startMs: number | undefined;
  let voiceMs = 0;
  for await (const { request } of requests) {
    if (request.case !== 'audio') continue;
    const samples = new Int16Array(Uint8Array.from(request.value).buffer);
    nowMs += samples.length / SAMPLES_PER_MS;
    if (samples.some((sample) => Math.abs(sample) > 500)) {
      if (startMs === undefined) yield { response: { case: 'began', value: { atMs: (startMs = nowMs) } } };
      voiceMs = nowMs;
    } else if (startMs !== undefined && nowMs - voiceMs >= PAUSE_MS) {
      yield { response: { case: 'paused', value: { atMs: voiceMs } } };
      const said = { startMs, endMs: voiceMs, text: recognises.shift() ?? '', confidence: 1 };
      yield { response: { case: 'recognized', value: said } };
      startMs = undefined;
    }
  }
}
