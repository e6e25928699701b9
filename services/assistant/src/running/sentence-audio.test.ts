import { expect, it } from '@jest/globals';
import { Priority } from '@parley/proto/speech/v1/speech_pb';
import type { Sentence } from '../engine/engine.ts';
import { spokenTexts } from './sentence-audio.ts';

const voice = { companyId: 'com_a', language: 'en', voice: '' };
const sentence = (text: string, key: string | null): Sentence => ({ text, key, sources: [], interruptible: true });

/** Speech whose audio is one sample, and audio that was made beforehand. */
function texts(stored: ReadonlyMap<string, Int16Array> = new Map()) {
  const state = { standsIn: false };
  const synthesized: string[] = [];
  const asked: string[] = [];
  const spoken = spokenTexts({
    speech: {
      async *synthesizeStream({ text, priority }: { text: string; priority: Priority }) {
        synthesized.push(`${Priority[priority]} ${text}`);
        yield { audio: Uint8Array.of(1, 0), standsIn: state.standsIn };
      },
    } as never,
    known: async (_voice, text) => {
      asked.push(text);
      return stored.get(text);
    },
  });
  const say = (text: string, key: string | null = 'en.goodbye.1') =>
    Array.fromAsync(spoken.of(voice)(sentence(text, key), new AbortController().signal, 1000));
  return { spoken, synthesized, asked, state, say };
}

it('a sentence is heard as it was made beforehand, else synthesized once for all calls', async () => {
  const { synthesized, say } = texts(new Map([['Hello.', Int16Array.of(7)]]));
  expect(await say('Hello.')).toEqual([Int16Array.of(7)]);
  expect(await say('Goodbye.')).toEqual([Int16Array.of(1)]);
  expect(await say('Goodbye.')).toEqual([Int16Array.of(1)]);
  expect(synthesized).toEqual(['CALL Goodbye.']);
});

it('a sentence in another voice than its own is not kept', async () => {
  const { synthesized, state, say } = texts();
  state.standsIn = true;
  await say('Goodbye.');
  state.standsIn = false;
  await say('Goodbye.');
  await say('Goodbye.');
  expect(synthesized).toEqual(['CALL Goodbye.', 'CALL Goodbye.']);
});

it('a sentence with words of the caller is neither looked up nor kept', async () => {
  const { synthesized, asked, say } = texts();
  await say('Your name is Jane.', null);
  await say('Your name is Jane.', null);
  expect([synthesized.length, asked]).toEqual([2, []]);
});

it('sentences that are prepared are synthesized behind those of calls, and once', async () => {
  const { spoken, synthesized, say } = texts(new Map([['Hello.', Int16Array.of(7)]]));
  await spoken.prepare(voice, ['Hello.', 'Oliver did not answer.', 'Oliver did not answer.']);
  await say('Oliver did not answer.', null);
  expect(synthesized).toEqual(['BACKGROUND Oliver did not answer.']);
});
