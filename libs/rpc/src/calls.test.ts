import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { Refused, refusal } from '@parley/errors';
import { waitUntil } from '@parley/testkit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { EchoService, UploadService } from '../test/echo-contract.ts';
import { ada, connectEcho, connected, endAll, freshSocket, keys, startEcho } from '../test/start-echo.ts';
import { newKeyPair } from './key-pair.ts';
import { employees } from './principal.ts';
import { createProver } from './proof.ts';
import { createRpcServer, type RpcContext } from './server.ts';
import { Unavailable } from './wire.ts';

afterEach(endAll);

/** The refusal a call ended with. */
async function refusalOf(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refused);
  return (error as Refused).refusal;
}

describe('a call', () => {
  it('a call is answered over a unix socket', async () => {
    const { address } = await startEcho({});
    expect(await connectEcho(address).echo.say({ text: 'hello' })).toMatchObject({ text: 'hello' });
  });

  it('a call is answered over a TCP port', async () => {
    const { port } = await startEcho({}, { address: '127.0.0.1:0' });
    expect(await connectEcho(`127.0.0.1:${port}`).echo.say({ text: 'hello' })).toMatchObject({ text: 'hello' });
  });

  it('a call passes the principal to the handler', async () => {
    const calls: RpcContext<unknown>[] = [];
    const say = async (_: unknown, call: RpcContext<unknown>) => {
      calls.push(call);
      return {};
    };
    const { address } = await startEcho({ say });
    const { echo } = connectEcho(address);
    await echo.say({});
    await echo.say({}, { as: ada });
    expect(calls.map(({ principal }) => principal)).toEqual([{ kind: 'service', name: 'gateway' }, ada]);
  });

  it('a call waits while the server is down, and succeeds when it comes within the deadline', async () => {
    const address = await freshSocket();
    const { echo } = connectEcho(address);
    const answer = echo.say({ text: 'at last' }, { timeoutMs: 10_000 });
    const first = await startEcho({}, { address });
    expect(await answer).toMatchObject({ text: 'at last' });
    await first.server.close(0);
    const again = echo.say({ text: 'again' }, { timeoutMs: 10_000 });
    await startEcho({}, { address });
    expect(await again).toMatchObject({ text: 'again' });
  });

  it('a call ends with its deadline without a server', async () => {
    const { echo } = connectEcho(await freshSocket());
    await expect(echo.say({}, { timeoutMs: 50 })).rejects.toBeInstanceOf(Unavailable);
  });

  it('a call is cancelled with its signal, and the handler is notified', async () => {
    const abort = new AbortController();
    let ended = false;
    const say = async (_: unknown, { signal }: RpcContext<unknown>) => {
      abort.abort();
      await once(signal, 'abort');
      ended = true;
      signal.throwIfAborted();
      return {};
    };
    const { address, lines } = await startEcho({ say });
    await expect(connectEcho(address).echo.say({}, { signal: abort.signal })).rejects.toThrow('CANCELLED');
    await waitUntil(() => ended, { what: 'the handler to be notified' });
    await endAll();
    expect(lines.filter((line) => line.includes('rpc failed'))).toEqual([]);
  });

  it('a call that has been answered is not aborted when its stream ends', async () => {
    const signals: AbortSignal[] = [];
    const { address } = await startEcho({
      say: async ({ text }, { signal }) => {
        signals.push(signal);
        if (text === 'refused') throw new Refused(refusal('not_found', 'not_found'));
        return {};
      },
    });
    const { echo } = connectEcho(address);
    await echo.say({ text: 'answered' });
    await expect(echo.say({ text: 'refused' })).rejects.toBeInstanceOf(Refused);
    // Closing waits for the streams of both calls.
    await endAll();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  it('a call does not begin with a signal that has aborted', async () => {
    let called = false;
    const { address } = await startEcho({ say: async () => ((called = true), {}) });
    await expect(connectEcho(address).echo.say({}, { signal: AbortSignal.abort() })).rejects.toThrow('CANCELLED');
    expect(called).toBe(false);
  });
});

describe('what a handler refuses', () => {
  it('what a handler refuses arrives unchanged, with fields and extra', async () => {
    const why = refusal('employee_in_use', 'the employee is a call target — Søren’s', {
      fields: { id: ['is in use'] },
      extra: { main_numbers: [{ id: 'num_1', name: 'Sales' }] },
    });
    const { address } = await startEcho({
      say: async () => {
        throw new Refused(why);
      },
    });
    expect(await refusalOf(connectEcho(address).echo.say({}))).toEqual(why);
  });

  it('what a handler refuses arrives from a stream, after what was sent before', async () => {
    const { address } = await startEcho({
      count: async function* () {
        yield { number: 1 };
        throw new Refused(refusal('rate_limited', 'too fast'));
      },
    });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { number } of connectEcho(address).echo.count({})) seen.push(number);
    })();
    expect(await refusalOf(reading)).toMatchObject({ code: 'rate_limited' });
    expect(seen).toEqual([1]);
  });

  it('what a handler refuses may be long, and loses its details rather than the connection when it is too long', async () => {
    const why = (count: number) =>
      refusal('employee_in_use', 'in use', {
        extra: { numbers: Array.from({ length: count }, () => 'n'.repeat(100)) },
      });
    const { address } = await startEcho({
      say: async ({ count }) => {
        throw new Refused(why(count));
      },
    });
    const { echo } = connectEcho(address);
    expect(await refusalOf(echo.say({ count: 350 }))).toEqual(why(350));
    expect(await refusalOf(echo.say({ count: 20_000 }))).toEqual(refusal('employee_in_use', 'in use'));
  });

  it('what a handler refuses passes through an intermediate service', async () => {
    const inner = await startEcho({
      say: async () => {
        throw new Refused(refusal('conflict', 'not now'));
      },
    });
    const { echo } = connectEcho(inner.address);
    const outer = await startEcho({ say: (request) => echo.say(request) });
    expect(await refusalOf(connectEcho(outer.address).echo.say({}))).toEqual(refusal('conflict', 'not now'));
  });
});

describe('an error in a handler', () => {
  it('an error in a handler arrives without its message, and is logged once where it happened', async () => {
    const { address, lines } = await startEcho({
      say: async () => {
        throw new TypeError('the inner message');
      },
    });
    const error = await connectEcho(address)
      .echo.say({})
      .catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(Refused);
    expect(error).toMatchObject({ message: 'parley.test.EchoService/Say failed: INTERNAL' });
    expect(String((error as Error).cause)).not.toContain('inner message');
    expect(lines.filter((line) => line.includes('the inner message'))).toHaveLength(1);
  });

  it('an error in a handler is "unavailable" when the database of its service does not answer, and logged as that', async () => {
    const say = async () => {
      throw new Error('connection closed');
    };
    const isUnreachable = (error: unknown) => (error as Error).message === 'connection closed';
    const { address, lines } = await startEcho({ say }, { isUnreachable });
    await expect(connectEcho(address).echo.say({})).rejects.toBeInstanceOf(Unavailable);
    expect(lines.filter((line) => line.includes('the database did not answer'))).toHaveLength(1);
  });

  it('an error in a handler includes an answer that cannot be written down', async () => {
    const { address, lines } = await startEcho({ say: async () => ({ number: 1.5 }) });
    await expect(connectEcho(address).echo.say({})).rejects.toThrow('failed: INTERNAL');
    expect(lines.some((line) => line.includes('rpc failed'))).toBe(true);
  });

  it('an error in a handler is "unavailable" when a service it needs does not answer', async () => {
    const { echo } = connectEcho(await freshSocket());
    const { address } = await startEcho({ say: (request) => echo.say(request, { timeoutMs: 20 }) });
    await expect(connectEcho(address).echo.say({})).rejects.toBeInstanceOf(Unavailable);
  });
});

describe('a caller', () => {
  it('a caller without proof is refused', async () => {
    const { address } = await startEcho({});
    const prover = { self: ada, prove: async () => '' };
    await expect(connectEcho(address, { prover }).echo.say({})).rejects.toBeInstanceOf(Unavailable);
  });

  it('a caller without any of our metadata is refused', async () => {
    const { address } = await startEcho({});
    const bare = new Client(address, credentials.createInsecure());
    const failure = await new Promise((resolve) =>
      bare.makeUnaryRequest(
        '/parley.test.EchoService/Say',
        () => Buffer.alloc(0),
        (bytes) => bytes,
        {},
        new Metadata(),
        resolve,
      ),
    );
    bare.close();
    expect(failure).toMatchObject({ details: 'unauthenticated' });
  });

  it.each([
    ['an unknown service', () => createProver('unknown', newKeyPair().privateKey)],
    ['a service with another’s name', () => createProver('gateway', newKeyPair().privateKey)],
    [
      'an expired proof',
      () => createProver('gateway', keys.gateway.privateKey, { now: () => new Date(Date.now() - 120_000) }),
    ],
    [
      'a clock far ahead',
      () => createProver('gateway', keys.gateway.privateKey, { now: () => new Date(Date.now() + 8_000) }),
    ],
    ['a service that claims an employee', () => createProver('directory', keys.directory.privateKey)],
  ])(
    'a caller that is or has %s is refused and logged, and whoever it calls for is not told that they are wrong',
    async (_, prover) => {
      const { address, lines } = await startEcho({});
      const { echo } = connectEcho(address, { prover: prover() });
      await expect(echo.say({}, { as: ada })).rejects.toMatchObject({
        name: 'Unavailable',
        message: expect.stringContaining('clocks or keys differ'),
      });
      expect(lines.some((line) => line.includes('without a valid proof'))).toBe(true);
    },
  );

  it('a caller of another kind than the contract is for is forbidden, in streams too', async () => {
    const { address } = await startEcho({}, { accessRule: employees.withRole('member') });
    const { echo } = connectEcho(address);
    expect(await refusalOf(echo.say({}))).toMatchObject({ code: 'forbidden' });
    expect(await refusalOf(Array.fromAsync(echo.count({ count: 1 })))).toMatchObject({ code: 'forbidden' });
    expect(await echo.say({ text: 'me' }, { as: ada })).toMatchObject({ text: 'me' });
  });
});

describe('the metadata of a call', () => {
  it('the metadata of a call has the deadline: a second service has no more time than the first', async () => {
    const inner = await startEcho({
      say: async (_request, { signal }) => {
        await once(signal, 'abort');
        return {};
      },
    });
    const { echo } = connectEcho(inner.address);
    let innerFailed: unknown;
    const outer = await startEcho({
      say: async (request) => {
        innerFailed = await echo.say(request, { timeoutMs: 60_000 }).catch((error: unknown) => error);
        return {};
      },
    });
    const client = connectEcho(outer.address);
    await connected(client);
    await expect(client.echo.say({}, { timeoutMs: 300 })).rejects.toBeInstanceOf(Unavailable);
    // Long before its own limit.
    await waitUntil(() => innerFailed, { what: 'the inner call to end' });
    expect(innerFailed).toBeInstanceOf(Unavailable);
  });

  it('the metadata of a call has the request id', async () => {
    const seen: (string | undefined)[] = [];
    const inner = await startEcho({
      say: async (_, { requestId }) => {
        seen.push(requestId);
        return {};
      },
    });
    const { echo } = connectEcho(inner.address);
    const outer = await startEcho({ say: (request) => echo.say(request) });
    await connectEcho(outer.address).echo.say({}, { requestId: 'req_7' });
    await connectEcho(outer.address).echo.say({});
    expect(seen).toEqual(['req_7', undefined]);
  });

  it('the metadata of a call has the trace: caller, server and inner call are parents and children of one', async () => {
    const inner = await startEcho({});
    const between = connectEcho(inner.address);
    const outer = await startEcho({
      say: (request) => between.echo.say(request),
      count: (request) => between.echo.count(request),
    });
    const first = connectEcho(outer.address);
    await first.echo.say({});
    const chain = [first, outer, between, inner].map(({ spans }) => spans()[0]);
    for (const [i, span] of chain.entries()) {
      expect(span?.name).toBe('parley.test.EchoService/Say');
      expect(span?.spanContext().traceId).toBe(chain[0]?.spanContext().traceId);
      expect(span?.parentSpanContext?.spanId).toBe(chain[i - 1]?.spanContext().spanId);
    }
    await Array.fromAsync(first.echo.count({ count: 2 }));
    await waitUntil(() => [first, outer, between, inner].every(({ spans }) => spans().length === 2), { what: 'spans' });
    const streams = [first, outer, between, inner].map(({ spans }) => spans()[1]);
    for (const [i, span] of streams.entries())
      expect(span?.parentSpanContext?.spanId).toBe(streams[i - 1]?.spanContext().spanId);
  });
});

describe('a server', () => {
  it('a server reports its health to any client', async () => {
    let ready = async () => true;
    const { address } = await startEcho({}, { ready: () => ready() });
    const { channel } = connectEcho(address, { prover: { self: ada, prove: async () => '' } });
    expect(await channel.healthy(5000)).toBe(true);
    ready = async () => false;
    expect(await channel.healthy(5000)).toBe(false);
    ready = () => Promise.reject(new Error('no'));
    expect(await channel.healthy(5000)).toBe(false);
  });

  it('a server that is unreachable is not healthy', async () => {
    expect(await connectEcho(await freshSocket()).channel.healthy(50)).toBe(false);
  });

  it('a server finishes calls in progress when it closes, and accepts no more', async () => {
    const arrived = Promise.withResolvers<() => void>();
    const { server, address } = await startEcho({
      say: ({ text }) => new Promise((resolve) => arrived.resolve(() => resolve({ text }))),
    });
    const { echo } = connectEcho(address);
    const inHand = echo.say({ text: 'in hand' });
    const answer = await arrived.promise;
    const closed = server.close(5000);
    await expect(echo.say({}, { timeoutMs: 200 })).rejects.toBeInstanceOf(Unavailable);
    answer();
    expect(await inHand).toMatchObject({ text: 'in hand' });
    await closed;
  });

  it('a server cuts what does not finish', async () => {
    const arrived = Promise.withResolvers<void>();
    let aborted = false;
    const { server, address } = await startEcho({
      say: async (_, { signal }) => {
        arrived.resolve();
        await once(signal, 'abort');
        aborted = true;
        return {};
      },
    });
    const call = connectEcho(address).echo.say({});
    await arrived.promise;
    await Promise.all([server.close(50), expect(call).rejects.toBeInstanceOf(Unavailable)]);
    await waitUntil(() => aborted, { what: 'the handler to be notified' });
  });

  it('a server takes over the socket of one that was killed, but not of a running one', async () => {
    const { address } = await startEcho({});
    await expect(startEcho({}, { address })).rejects.toThrow('EADDRINUSE');
    const dead = await freshSocket();
    await leaveDeadSocket(dead.slice('unix:'.length));
    await startEcho({}, { address: dead });
    expect(await connectEcho(dead).echo.say({ text: 'new' })).toMatchObject({ text: 'new' });
  });

  it('a server refuses a contract with a kind of method that is not supported', () => {
    const { telemetry } = connectEcho('127.0.0.1:1');
    const server = createRpcServer({ telemetry, verify: async () => ada, ready: async () => true });
    expect(() => server.add(UploadService, employees.withRole('member'), {} as never)).toThrow(
      'client_streaming is not supported',
    );
    expect(() => connectEcho('127.0.0.1:1').channel.client(UploadService)).toThrow('client_streaming');
    expect(() => connectEcho('127.0.0.1:1').channel.client(EchoService)).not.toThrow();
  });
});

/** A socket file without a server, as left by SIGKILL. */
async function leaveDeadSocket(path: string): Promise<void> {
  const child = spawn(process.execPath, [
    '-e',
    `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
  await once(child, 'exit');
}
