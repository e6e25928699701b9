import { setTimeout as sleep } from 'node:timers/promises';
import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { Unavailable } from '@parley/rpc';
import { type FakeContract, fakeContract } from '@parley/stubs';
import { testWav } from './test-wav.ts';

/** A speech service that returns as many samples as the text has characters. */
export interface FakeSpeech {
  readonly contracts: readonly FakeContract[];
  /** The synthesis requests it received. */
  readonly synthesized: { text: string; language: string }[];
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
        async getSpeechOptions() {
          if (speech.broken) throw new Unavailable('no engine');
          const { listensToAnyLanguage } = speech;
          return { listeningLanguages: ['en'], listensToAnyLanguage, voices: ['test-en', 'test-de'] };
        },
      }),
    ],
    synthesized: [],
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
