import { describe, expect, it } from '@jest/globals';
import { WorkerLost } from '../workers/worker.ts';
import { createRecognitions, joinWords } from './recognitions.ts';
import type { Stretch } from './utterance.ts';
import type { Words } from './utterance-recognizer.ts';

const sound = (startMs: number, endMs: number): Stretch => ({ startMs, endMs });
const words = ({ startMs, endMs }: Stretch): Words => ({ text: `${startMs}-${endMs}`, confidence: 1 });

/** A recogniser that answers when the test says so. */
function slowRecognizer() {
  const asked: { sound: Stretch; cancelled: AbortSignal; answer: PromiseWithResolvers<Words> }[] = [];
  const recognitions = createRecognitions((wanted, cancelled) => {
    const answer = Promise.withResolvers<Words>();
    cancelled.addEventListener('abort', () => answer.reject(cancelled.reason));
    asked.push({ sound: wanted, cancelled, answer });
    return answer.promise;
  });
  return { recognitions, asked };
}

describe('the recognitions of a stream', () => {
  it('the recognitions of a stream do not repeat what was recognised before', async () => {
    const { recognitions, asked } = slowRecognizer();
    const first = recognitions.wordsOf([sound(0, 5)]);
    asked[0]!.answer.resolve(words(asked[0]!.sound));
    await first;
    const both = recognitions.wordsOf([sound(0, 5), sound(6, 9)]);
    asked[1]!.answer.resolve(words(asked[1]!.sound));
    expect((await both).map(({ text }) => text)).toEqual(['0-5', '6-9']);
    expect(asked).toHaveLength(2);
  });

  it('the recognitions of a stream cancel what is no longer wanted', async () => {
    const { recognitions, asked } = slowRecognizer();
    const first = recognitions.wordsOf([sound(0, 5)]);
    const second = recognitions.wordsOf([sound(0, 7)]);
    await expect(first).rejects.toThrow();
    expect(asked.map(({ cancelled }) => cancelled.aborted)).toEqual([true, false]);
    asked[1]!.answer.resolve(words(asked[1]!.sound));
    await expect(second).resolves.toHaveLength(1);
  });

  it('the recognitions of a stream repeat once what was lost with its worker', async () => {
    const { recognitions, asked } = slowRecognizer();
    const wanted = recognitions.wordsOf([sound(0, 5)]);
    asked[0]!.answer.reject(new WorkerLost('SIGKILL'));
    while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
    asked[1]!.answer.resolve(words(asked[1]!.sound));
    expect((await wanted)[0]).toEqual({ text: '0-5', confidence: 1 });
  });

  it('the recognitions of a stream fail with the second loss, and with any other error', async () => {
    for (const [error, attempts] of [
      [new WorkerLost('SIGSEGV'), 2],
      [new Error('500'), 1],
    ] as const) {
      let asked = 0;
      const recognitions = createRecognitions(async () => {
        asked += 1;
        throw error;
      });
      await expect(recognitions.wordsOf([sound(0, 5)])).rejects.toBe(error);
      expect(asked).toBe(attempts);
    }
  });
});

it('the words of an utterance are those of its parts, and as certain as they are on the whole', () => {
  const parts = [
    { text: 'Hello there.', confidence: 0.9 },
    { text: '', confidence: 0 },
    { text: 'Bye.', confidence: 0.5 },
  ];
  expect(joinWords(parts)).toEqual({ text: 'Hello there. Bye.', confidence: expect.closeTo(0.8, 5) });
  expect(joinWords([{ text: '', confidence: 0 }])).toEqual({ text: '', confidence: 0 });
  expect(joinWords([])).toEqual({ text: '', confidence: 0 });
});
