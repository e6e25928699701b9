import { setTimeout as sleep } from 'node:timers/promises';
import { TELEPHONE_RATE } from '../audio/speech-samples.ts';
import type { ListenMessage } from './listening-stream.ts';

/** Audio that is sent faster than it was spoken is not heard further ahead than this, so that it does not take the time of calls. */
const AHEAD_MS_MAX = 30_000;

/** The messages, as fast as they may be heard. */
export async function* pace(
  messages: AsyncIterable<ListenMessage>,
  signal: AbortSignal,
  aheadMsMax = AHEAD_MS_MAX,
): AsyncGenerator<ListenMessage> {
  const started = performance.now();
  let heardMs = 0;
  for await (const message of messages) {
    const aheadMs = heardMs - (performance.now() - started) - aheadMsMax;
    if (aheadMs > 0) await sleep(aheadMs, undefined, { signal });
    if (message.kind === 'audio') heardMs += (message.samples.length * 1000) / TELEPHONE_RATE;
    yield message;
  }
}
