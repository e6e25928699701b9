import { expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { TELEPHONE_RATE } from '../audio/speech-samples.ts';
import type { ListenMessage } from './listening-stream.ts';
import { pace } from './pace.ts';

const SECOND = new Int16Array(TELEPHONE_RATE);

async function* seconds(count: number): AsyncGenerator<ListenMessage> {
  for (let i = 0; i < count; i += 1) yield { kind: 'audio', samples: SECOND };
}

const never = new AbortController().signal;

it('audio is heard at once as long as it is not too far ahead of its time', async () => {
  const started = performance.now();
  expect(await Array.fromAsync(pace(seconds(30), never))).toHaveLength(30);
  expect(performance.now() - started).toBeLessThan(1000);
});

it('audio that is too far ahead waits for its time, and what is no audio with it', async () => {
  const started = performance.now();
  expect(await Array.fromAsync(pace(seconds(3), never, 1800))).toHaveLength(3);
  expect(performance.now() - started).toBeGreaterThan(190);
});

it('audio that waits for its time ends with its caller', async () => {
  const caller = new AbortController();
  let heard = 0;
  const reading = Array.fromAsync(pace(seconds(100), caller.signal), () => (heard += 1));
  await waitUntil(() => heard === 31, { what: 'half a minute' });
  caller.abort(new Error('hung up'));
  await expect(reading).rejects.toThrow();
});
