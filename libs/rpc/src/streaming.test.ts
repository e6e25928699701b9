import { once } from 'node:events';
import { waitUntil } from '@parley/testkit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChannelCredentials, Client, Metadata, status } from '@grpc/grpc-js';
import { refusal, Refused } from '@parley/errors';
import { EchoService } from '../test/echo-contract.ts';
import { connectEcho, connected, endAll, keys, startEcho } from '../test/start-echo.ts';
import { services } from './principal.ts';
import { audienceOf, createProver } from './proof.ts';
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

describe('a conversation of two streams', () => {
  /** Sends one text after the other, each once `next` is called. */
  function script() {
    const { readable, writable } = new TransformStream<{ text: string }, { text: string }>();
    const writer = writable.getWriter();
    return { requests: readable, say: (text: string) => void writer.write({ text }), end: () => void writer.close() };
  }

  async function* forever() {
    for (let number = 0; ; number++) {
      await new Promise((resolve) => setImmediate(resolve));
      yield { text: `text ${number}` };
    }
  }

  it('a conversation of two streams brings each answer while its requests go on', async () => {
    const { address } = await startEcho({});
    const { requests, say, end } = script();
    const heard: string[] = [];
    say('hello');
    for await (const { text } of connectEcho(address).echo.converse(requests)) {
      heard.push(text);
      if (heard.length < 4) say(`again ${heard.length}`);
      else end();
    }
    expect(heard).toEqual(['hello', 'again 1', 'again 2', 'again 3']);
  });

  it('a conversation of two streams is refused to a caller that the rule does not allow', async () => {
    const { address } = await startEcho({}, { accessRule: services('identity') });
    await expect(Array.fromAsync(connectEcho(address).echo.converse(forever()))).rejects.toBeInstanceOf(Refused);
  });

  it('a conversation of two streams arrives as a refusal of the handler, and stops the requests', async () => {
    let stopped = false;
    async function* requests() {
      try {
        yield* forever();
      } finally {
        stopped = true;
      }
    }
    const { address } = await startEcho({
      converse: async function* (received) {
        for await (const { text } of received) {
          if (text === 'text 3') throw new Refused(refusal('not_found', 'no more'));
          yield { text };
        }
      },
    });
    const reading = Array.fromAsync(connectEcho(address).echo.converse(requests()));
    await expect(reading).rejects.toMatchObject({ refusal: { code: 'not_found' } });
    await waitUntil(() => stopped, { what: 'the requests to stop' });
  });

  it('a conversation of two streams fails at the reader when its requests fail, and ends the handler', async () => {
    let ended = false;
    const { address } = await startEcho({
      converse: async function* (received) {
        try {
          for await (const { text } of received) yield { text };
        } finally {
          ended = true;
        }
      },
    });
    const answered = Promise.withResolvers<void>();
    async function* requests() {
      yield { text: 'a' };
      await answered.promise;
      throw new Error('the microphone is gone');
    }
    const answers = connectEcho(address).echo.converse(requests());
    const reading = Array.fromAsync(answers, () => answered.resolve());
    await expect(reading).rejects.toThrow('microphone');
    await waitUntil(() => ended, { what: 'the handler to end' });
  });

  it('a conversation of two streams goes on to answer after the last request, and after the handler has read enough', async () => {
    const { address } = await startEcho({
      converse: async function* (received) {
        for await (const { text } of received) {
          yield { text };
          break;
        }
        yield { text: 'goodbye' };
      },
    });
    const texts = await Array.fromAsync(connectEcho(address).echo.converse(forever()), ({ text }) => text);
    expect(texts).toEqual(['text 0', 'goodbye']);
  });

  it('a conversation of two streams aborts its handler when the reader leaves the loop', async () => {
    let ended = false;
    const { address, lines } = await startEcho({
      converse: async function* (received) {
        try {
          for await (const { text } of received) yield { text };
        } finally {
          ended = true;
        }
      },
    });
    for await (const { text } of connectEcho(address).echo.converse(forever())) if (text === 'text 3') break;
    await waitUntil(() => ended, { what: 'the handler to end' });
    await endAll();
    expect(lines).toEqual([]);
  });

  it('a conversation of two streams ends with its deadline while nobody says anything', async () => {
    let ended = false;
    const { address } = await startEcho({
      converse: async function* (received) {
        yield { text: 'hello' };
        for await (const { text } of received) yield { text };
        ended = true;
      },
    });
    const client = connectEcho(address);
    await connected(client);
    const reading = Array.fromAsync(client.echo.converse(script().requests, { timeoutMs: 200 }));
    await expect(reading).rejects.toBeInstanceOf(Unavailable);
    await waitUntil(() => ended, { what: 'the handler to end' });
  });

  it('a conversation of two streams does not take more than its handler reads', async () => {
    const text = 'x'.repeat(64 * 1024);
    let sent = 0;
    async function* requests() {
      for (; sent < 2000; sent++) yield { text };
    }
    let read = 0;
    let ahead = 0;
    const { address } = await startEcho({
      converse: async function* (received) {
        for await (const _ of received) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          ahead = Math.max(ahead, sent - ++read);
          if (read === 50) return;
          yield {};
        }
      },
    });
    await Array.fromAsync(connectEcho(address).echo.converse(requests()));
    expect(ahead).toBeLessThan(200);
  });

  it('a conversation of two streams ends its handler when a request cannot be read', async () => {
    let ended = false;
    const { address } = await startEcho({
      converse: async function* (received) {
        try {
          for await (const { text } of received) yield { text };
        } finally {
          ended = true;
        }
      },
    });
    const call = await hostileConversation(address);
    call.write(Buffer.from([0xff, 0xff, 0xff]));
    await expect(Array.fromAsync(call)).rejects.toMatchObject({ code: status.INTERNAL });
    await waitUntil(() => ended, { what: 'the handler to end' });
  });

  /** A call whose requests are bytes as they are. */
  async function hostileConversation(address: string) {
    const client = new Client(address, ChannelCredentials.createInsecure());
    const metadata = new Metadata();
    const prover = createProver('gateway', keys.gateway.privateKey);
    metadata.set('parley-proof', await prover.prove(prover.self, audienceOf(EchoService)));
    const asIs = (bytes: Buffer) => bytes;
    const call = client.makeBidiStreamRequest('/parley.test.EchoService/Converse', asIs, asIs, metadata);
    call.once('close', () => client.close());
    return call;
  }
});
