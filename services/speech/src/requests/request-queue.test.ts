import { describe, expect, it, jest } from '@jest/globals';
import { Priority } from '@parley/proto/speech/v1/speech_pb';
import type { Logger } from '@parley/telemetry';
import { PRIORITY } from '../workers/serve-jobs.ts';
import { createRequestQueue } from './request-queue.ts';
import { noFaults } from './sandbox-faults.ts';

const principal = { kind: 'service', name: 'call-control' } as const;
const company = { companyId: '' };
const waiting = (): { principal: typeof principal; signal: AbortSignal } => ({
  principal,
  signal: new AbortController().signal,
});

function aRequestQueue(
  options: { inProgressMax?: number; limitMs?: number; log?: { error: jest.Mock<Logger['error']> } } = {},
) {
  const { inProgressMax = 2, limitMs = 10_000, log = { error: jest.fn<Logger['error']>() } } = options;
  return createRequestQueue({ task: 'synthesis', inProgressMax, limitMs, faults: noFaults, log });
}

/** Ends with the signal and not before. */
const untilAborted = (signal: AbortSignal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('a request', () => {
  it('a request is refused while as many are in progress as may be', async () => {
    const requestQueue = aRequestQueue({ inProgressMax: 2 });
    const done = Promise.withResolvers<string>();
    const inHand = [1, 2].map(() => requestQueue.run(waiting(), company, () => done.promise));
    await expect(requestQueue.run(waiting(), company, async () => 'c')).rejects.toMatchObject({
      refusal: { code: 'rate_limited' },
    });
    done.resolve('done');
    await Promise.all(inHand);
    await expect(requestQueue.run(waiting(), company, async () => 'c')).resolves.toBe('c');
  });

  it('a request is refused to a company that has half of the places, while others are still served', async () => {
    const requestQueue = aRequestQueue({ inProgressMax: 4 });
    const done = Promise.withResolvers<string>();
    const ask = (companyId: string, priority?: Priority) =>
      requestQueue.run(waiting(), { companyId, priority }, () => done.promise);
    const first = [ask('com_a'), ask('com_a')];
    await expect(ask('com_a')).rejects.toMatchObject({ refusal: { code: 'rate_limited' } });
    const others = [ask('com_b'), ask('com_c')];
    await expect(ask('com_d')).rejects.toMatchObject({ refusal: { code: 'rate_limited' } });
    const calls = [ask('com_a', Priority.CALL), ask('com_d', Priority.CALL)];
    done.resolve('done');
    await expect(Promise.all([...first, ...others, ...calls])).resolves.toHaveLength(6);
    await expect(ask('com_a')).resolves.toBe('done');
  });

  it('a request passes its company and priority on', async () => {
    const context = await aRequestQueue().run(
      waiting(),
      { companyId: 'com_a', priority: Priority.INTERACTIVE },
      async (given) => given,
    );
    expect(context).toMatchObject({ companyId: 'com_a', priority: PRIORITY.interactive });
  });

  it('a request fails with speech_failed when its engine fails; the reason is only logged', async () => {
    const log = { error: jest.fn<Logger['error']>() };
    const requestQueue = aRequestQueue({ log });
    const failed = requestQueue.run(waiting(), company, async () => {
      throw new Error('SIGSEGV in libonnxruntime');
    });
    await expect(failed).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
    await expect(failed).rejects.not.toThrow(/SIGSEGV/);
    expect(log.error).toHaveBeenCalledTimes(1);
  });

  it('a request fails after its time limit', async () => {
    const requestQueue = aRequestQueue({ limitMs: 20 });
    const late = requestQueue.run(waiting(), company, ({ signal }) => untilAborted(signal));
    await expect(late).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
  });

  it('a request ends when its client disconnects, without an error in the log', async () => {
    const log = { error: jest.fn<Logger['error']>() };
    const caught = new AbortController();
    const work = aRequestQueue({ log }).run({ principal, signal: caught.signal }, company, ({ signal }) =>
      untilAborted(signal),
    );
    const ended = expect(work).rejects.toThrow('gone');
    caught.abort(new Error('gone'));
    await ended;
    expect(log.error).not.toHaveBeenCalled();
  });
});

describe('a stream', () => {
  async function* twice(failure?: Error) {
    yield 'a';
    if (failure) throw failure;
    yield 'b';
  }

  it('a stream takes a place until it has ended, or its reader has left', async () => {
    const requestQueue = aRequestQueue({ inProgressMax: 1 });
    const open = () => requestQueue.stream(waiting(), company, () => twice());
    const first = open();
    expect((await first.next()).value).toBe('a');
    await expect(Array.fromAsync(open())).rejects.toMatchObject({ refusal: { code: 'rate_limited' } });
    await first.return(undefined);
    expect(await Array.fromAsync(open())).toEqual(['a', 'b']);
    expect(await Array.fromAsync(open())).toEqual(['a', 'b']);
  });

  it('a stream fails with speech_failed when its engine fails after a while', async () => {
    const log = { error: jest.fn<Logger['error']>() };
    const broken = aRequestQueue({ log }).stream(waiting(), company, () => twice(new Error('SIGSEGV')));
    expect((await broken.next()).value).toBe('a');
    await expect(broken.next()).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
    expect(log.error).toHaveBeenCalledTimes(1);
  });

  it('a stream without a time limit ends with its caller', async () => {
    const caller = new AbortController();
    const requestQueue = createRequestQueue({
      task: 'listening',
      inProgressMax: 1,
      limitMs: undefined,
      faults: noFaults,
      log: { error: jest.fn<Logger['error']>() },
    });
    const stream = requestQueue.stream({ principal, signal: caller.signal }, company, async function* ({ signal }) {
      yield await untilAborted(signal);
    });
    const ended = expect(stream.next()).rejects.toThrow('gone');
    await new Promise((resolve) => setImmediate(resolve));
    caller.abort(new Error('gone'));
    await ended;
  });

  it('a stream feels a fault from the start, and one that is set while it goes on', async () => {
    let fault: Error | undefined = new Error('switched to fail');
    const requestQueue = createRequestQueue({
      task: 'listening',
      inProgressMax: 1,
      limitMs: undefined,
      faults: {
        simulate: async () => {
          if (fault) throw fault;
        },
      },
      log: { error: jest.fn<Logger['error']>() },
    });
    const open = () =>
      requestQueue.stream(waiting(), company, async function* (_context, simulateFault) {
        yield 'a';
        await simulateFault();
        yield 'b';
      });
    await expect(open().next()).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
    fault = undefined;
    const stream = open();
    await stream.next();
    fault = new Error('switched to fail');
    await expect(stream.next()).rejects.toMatchObject({ refusal: { code: 'speech_failed' } });
  });
});
