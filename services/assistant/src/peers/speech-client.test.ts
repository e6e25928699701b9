import { expect, it } from '@jest/globals';
import type { Channel } from '@parley/rpc';
import { speechClient } from './speech-client.ts';

it('languages and voices are answered as they were known last while speech is down, and as they are soon after', async () => {
  const up = async () => ({ listeningLanguages: ['en', 'fr'], listensToAnyLanguage: false, voices: ['a'] });
  const down = () => Promise.reject(new Error('down'));
  let answer: typeof up = down;
  let nowMs = 1;
  const channel = { client: () => ({ getSpeechOptions: () => answer() }) } as unknown as Channel;
  const speech = speechClient(channel, () => nowMs);
  const minutePasses = () => {
    nowMs += 60_001;
    return new Promise(setImmediate);
  };
  await expect(speech.options()).rejects.toThrow('down');
  answer = up;
  const known = { languages: ['en'], voices: ['a'] };
  expect(await speech.options()).toEqual(known);
  const hanging = () => new Promise<never>(() => undefined);
  for (answer of [hanging, down]) {
    await minutePasses();
    expect(await speech.options()).toEqual(known);
  }
  await minutePasses();
  answer = async () => ({ listeningLanguages: ['en'], listensToAnyLanguage: true, voices: ['b'] });
  await speech.options();
  await new Promise(setImmediate);
  expect(await speech.options()).toEqual({ languages: ['en', 'da', 'de'], voices: ['b'] });
});
