import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { hasRequests, longList, noteRequest, pauseForRequests, runLongWork } from './long-work.ts';

const WORK_MS = 20;

function calculate(): void {
  const untilMs = performance.now() + WORK_MS;
  while (performance.now() < untilMs);
}

/** The length of the pause after a step of long work; undefined without one. */
function pausedMs(options?: { hurryMs: number }): Promise<number | undefined> {
  return runLongWork(async () => {
    calculate();
    const fromMs = performance.now();
    const pause = pauseForRequests();
    await pause;
    return pause && performance.now() - fromMs;
  }, options);
}

async function untilNoRequests(): Promise<void> {
  while (hasRequests()) await sleep(10);
}

describe('long work', () => {
  it('long work leaves requests four fifths of the time', async () => {
    noteRequest();
    expect(await pausedMs()).toBeGreaterThanOrEqual(4 * WORK_MS - 1);
  });

  it('long work does not pause without requests, and its own do not count', async () => {
    await untilNoRequests();
    const listed = async function* () {
      noteRequest();
      yield 1;
      noteRequest();
    };
    runLongWork(noteRequest);
    expect(await Array.fromAsync(longList(listed()))).toEqual([1]);
    expect(hasRequests()).toBe(false);
    expect(await pausedMs()).toBeUndefined();
  });

  it('long work that somebody may wait for does not pause at first', async () => {
    noteRequest();
    expect(await pausedMs({ hurryMs: 60_000 })).toBeUndefined();
  });

  it('other work does not pause', () => {
    noteRequest();
    calculate();
    expect(pauseForRequests()).toBeUndefined();
  });

  it('a long list that its reader leaves early is closed', async () => {
    let isClosed = false;
    const items = async function* () {
      try {
        yield* [1, 2];
      } finally {
        isClosed = true;
      }
    };
    for await (const _ of longList(items())) break;
    expect(isClosed).toBe(true);
  });
});
