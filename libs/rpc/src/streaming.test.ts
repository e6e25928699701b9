import { once } from 'node:events';
import { waitUntil } from '@parley/testkit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { connectEcho, connected, endAll, startEcho } from '../test/start-echo.ts';
import { Unavailable } from './wire.ts';

afterEach(endAll);

describe('a stream', () => {
  it('a stream brings everything in order', async () => {
    const { address } = await startEcho({});
    const numbers = await Array.fromAsync(connectEcho(address).echo.count({ count: 1000 }), ({ number }) => number);
    expect(numbers).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1));
  });

  it('a stream ends its handler when the reader leaves the loop', async () => {
    let ended = false;
    const { address, lines } = await startEcho({
      count: async function* () {
        try {
          for (let number = 1; ; number++) {
            await new Promise((resolve) => setImmediate(resolve));
            yield { number };
          }
        } finally {
          ended = true;
        }
      },
    });
    for await (const { number } of connectEcho(address).echo.count({})) if (number === 3) break;
    await waitUntil(() => ended, { what: 'the handler to end' });
    await endAll();
    expect(lines).toEqual([]);
  });

  it('a stream aborts a waiting handler when the reader has disconnected', async () => {
    let notified = false;
    const { address, spans } = await startEcho({
      count: async function* (_request, { signal }) {
        signal.addEventListener('abort', () => (notified = true));
        yield { number: 1 };
        await new Promise(() => {});
      },
    });
    for await (const _ of connectEcho(address).echo.count({})) break;
    await waitUntil(() => notified && spans().length === 1, {
      what: 'the handler to be notified and the call to be over',
    });
  });

  it('a stream is given up with its signal', async () => {
    const abort = new AbortController();
    let notified = false;
    const { address } = await startEcho({
      count: async function* (_request, { signal }) {
        yield { number: 1 };
        await once(signal, 'abort');
        notified = true;
      },
    });
    const reading = (async () => {
      for await (const _ of connectEcho(address).echo.count({}, { signal: abort.signal })) abort.abort();
    })();
    await expect(reading).rejects.toThrow('CANCELLED');
    await waitUntil(() => notified, { what: 'the handler to be notified' });
  });

  it('a stream ends with its deadline on both sides', async () => {
    let ended = false;
    const { address } = await startEcho({
      count: async function* (_request, { signal }) {
        yield { number: 1 };
        await once(signal, 'abort');
        ended = true;
      },
    });
    const client = connectEcho(address);
    await connected(client);
    const reading = Array.fromAsync(client.echo.count({}, { timeoutMs: 200 }));
    await expect(reading).rejects.toBeInstanceOf(Unavailable);
    await waitUntil(() => ended, { what: 'the handler to end' });
  });

  it('a stream does not run ahead of a slow reader', async () => {
    const text = 'x'.repeat(64 * 1024);
    let made = 0;
    const { address } = await startEcho({
      count: async function* () {
        for (; made < 2000; made++) yield { text };
      },
    });
    let read = 0;
    let ahead = 0;
    for await (const _ of connectEcho(address).echo.count({})) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      ahead = Math.max(ahead, made - ++read);
      if (read === 50) break;
    }
    expect(ahead).toBeLessThan(200);
  });

  it('a stream survives the loss of the server as an error of the reader', async () => {
    const { address, server } = await startEcho({
      count: async function* () {
        yield { number: 1 };
        await new Promise(() => {});
      },
    });
    const reading = (async () => {
      for await (const _ of connectEcho(address).echo.count({})) void server.close(0);
    })();
    await expect(reading).rejects.toBeInstanceOf(Unavailable);
  });
});
