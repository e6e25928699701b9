import { describe, expect, it } from '@jest/globals';
import { PRIORITY } from '../workers/serve-jobs.ts';
import {
  localUtteranceRecognizer,
  remoteUtteranceRecognizer,
  shareOfCompany,
  workersFor,
} from './utterance-recognizer.ts';

const context = { signal: new AbortController().signal, companyId: '', priority: PRIORITY.background };
const samples = new Int16Array(8000);

describe('the workers of a recogniser', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [9, 4],
  ])('the workers of a recogniser, %d, are at most half for one company: %d', (workers, share) => {
    expect(shareOfCompany(workers)).toBe(share);
  });

  it.each([
    [{}, 0],
    [{ a: 1 }, 1],
    [{ a: 9 }, 2],
    [{ a: 9, b: 1 }, 3],
    [{ a: 9, b: 9, c: 9 }, 4],
  ])('the workers of a recogniser with four that are loaded for %j are %d', (streams, loaded) => {
    expect(workersFor(new Map(Object.entries(streams)), 4)).toBe(loaded);
  });
});

const idle = { startLoading: () => true, stop: async () => undefined };

describe('the words of an utterance', () => {
  const moonshine = (text: string, confidence: number) =>
    localUtteranceRecognizer(
      { run: async () => ({ text, confidence }), keepLoaded: async () => undefined, ...idle },
      2,
    ).recognize(samples, 'en', context);

  it.each([
    ['Hello there.', -0.1, { text: 'Hello there.', confidence: expect.closeTo(0.905, 3) }],
    ['[MUSIC] Hi.', -0.2, { text: 'Hi.', confidence: expect.closeTo(0.819, 3) }],
    ['Who can touch via a stand', -1.1, { text: '', confidence: 0 }],
    ['the the the the the', -Infinity, { text: '', confidence: 0 }],
    ['', -0.001, { text: '', confidence: 0 }],
  ])('the words of an utterance are "%s" only when the engine is sure enough (%d)', async (text, confidence, words) => {
    expect(await moonshine(text, confidence)).toEqual(words);
  });

  it.each([
    [{ text: ' Hi there. ' }, { text: 'Hi there.', confidence: 1 }],
    [
      { text: 'Hi.', segments: [{ start: 0, end: 1, text: 'Hi.' }] },
      { text: 'Hi.', confidence: 1 },
    ],
    [
      { text: 'Hi.', segments: [{ avg_logprob: -0.2 }, { avg_logprob: -0.4 }] },
      { text: 'Hi.', confidence: expect.closeTo(0.741, 3) },
    ],
    [
      { text: 'Thanks for watching!', segments: [{ avg_logprob: -1.4 }] },
      { text: '', confidence: 0 },
    ],
    [
      { text: 'Hi.', segments: [{ avg_logprob: 3 }] },
      { text: 'Hi.', confidence: 1 },
    ],
  ])('the words of an utterance are those of an endpoint that answers %j', async (answer, words) => {
    const recognizer = remoteUtteranceRecognizer({
      endpoint: { post: async () => Buffer.alloc(0), postForJson: async () => answer },
      model: 'stt',
      format: 'verbose_json',
    });
    expect(await recognizer.recognize(samples, 'da', context)).toEqual(words);
  });

  it('the words of an utterance are not those of an endpoint that answers nonsense', async () => {
    const recognizer = remoteUtteranceRecognizer({
      endpoint: { post: async () => Buffer.alloc(0), postForJson: async () => ({ error: 'x' }) },
      model: 'stt',
      format: 'json',
    });
    await expect(recognizer.recognize(samples, 'da', context)).rejects.toThrow();
  });
});

it('the local recogniser knows English, and what is not said to be anything else', () => {
  const { knows } = localUtteranceRecognizer(
    { run: async () => ({ text: '', confidence: 0 }), keepLoaded: async () => undefined, ...idle },
    2,
  );
  expect(['', 'en', 'en-GB', 'EN_us', 'da', 'eng-x', 'de'].filter((language) => knows(language))).toEqual([
    '',
    'en',
    'en-GB',
    'EN_us',
  ]);
});
