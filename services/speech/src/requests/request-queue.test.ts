import { describe, expect, it, jest } from '@jest/globals';
import { createConductor } from './request-queue.ts';
import { noFaults } from './sandbox-faults.ts';

const principal = { kind: 'service', name: 'call-control' } as const;
const waiting = (): { principal: typeof principal; signal: AbortSignal } => ({
  principal,
  signal: new AbortController().signal,
});

function aRequestQueue(options: { inHandMax?: number; limitMs?: number; log?: { error: jest.Mock } } = {}) {
  const { inHandMax = 2, limitMs = 10_000, log = { error: jest.fn() } } = options;
  return createConductor({ task: 'speaking', inHandMax, limitMs, faults: noFaults, log: log as never });
}

/** Ends with the signal and not before. */
const untilAborted = (signal: AbortSignal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('a request', () => {
  it('is refused when as many are in hand as may be, and taken again when one has ended', async () => {
    const requestQueue = aRequestQueue({ inHandMax: 2 });
    const done = Promise.withResolvers<string>();
    const inHand = [1, 2].map(() => requestQueue.conduct(waiting(), () => done.promise));
    await expect(requestQueue.conduct(waiting(), async () => 'c')).rejects.toMatchObject({
      refusal: { code: 'rate_limited' },
    });
    done.resolve('done');
    await Promise.all(inHand);
    await expect(requestQueue.conduct(waiting(), async () => 'c')).resolves.toBe('c');
  });

  it('is answered with speech_failed when its engine fails; the reason goes to the log only', async () => {
    const log = { error: jest.fn() };
    const requestQueue = aRequestQueue({ log });
    const failed = requestQueue.conduct(waiting(), async () => {
      throw new Error('SIGSEGV in libonnxruntime');
    });
    await expect(failed).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
    await expect(failed).rejects.not.toThrow(/SIGSEGV/);
    expect(log.error).toHaveBeenCalledTimes(1);
  });

  it('fails after its time limit', async () => {
    const requestQueue = aRequestQueue({ limitMs: 20 });
    const late = requestQueue.conduct(waiting(), untilAborted);
    await expect(late).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
  });

  it('ends when its caller has gone, without an error in the log', async () => {
    const log = { error: jest.fn() };
    const caught = new AbortController();
    const work = aRequestQueue({ log }).conduct({ principal, signal: caught.signal }, untilAborted);
    const ended = expect(work).rejects.toThrow('gone');
    caught.abort(new Error('gone'));
    await ended;
    expect(log.error).not.toHaveBeenCalled();
  });
});
