import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { listenHttp } from './listen.ts';
import { sendRaw, until } from '../../test/test-server.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

function ok(_request: IncomingMessage, response: ServerResponse): void {
  response.end('ok');
}

describe('listenHttp', () => {
  it.each(['127.0.0.1:0', '[::1]:0', 'localhost:0'])(
    'listenHttp serves at %s and reports its address',
    async (address) => {
      const listening = await listenHttp(ok, address);
      expect(listening.port).toBeGreaterThan(0);
      expect(listening.address).toMatch(new RegExp(`:${listening.port}$`));
      expect(await (await fetch(`http://${listening.address}`)).text()).toBe('ok');
      await listening.close();
    },
  );

  it('listenHttp serves on every interface without a host', async () => {
    const listening = await listenHttp(ok, ':0');
    expect(await (await fetch(`http://127.0.0.1:${listening.port}`)).text()).toBe('ok');
    await listening.close();
  });

  it.each(['8080', '127.0.0.1', '127.0.0.1:99999', '::1:80', 'http://x:80', ''])(
    'listenHttp refuses the address %j',
    async (address) => {
      await expect(listenHttp(ok, address)).rejects.toThrow('is not an address');
    },
  );

  it('listenHttp names the address that is already taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await until(() => other.listening);
    const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    await expect(listenHttp(ok, address)).rejects.toMatchObject({
      message: `cannot listen on ${address}: it is already in use`,
      code: 'EADDRINUSE',
    });
    other.close();
  });

  it('listenHttp outlives the idle time of a load balancer', async () => {
    const listening = await listenHttp(ok, '127.0.0.1:0');
    expect(listening.server.keepAliveTimeout).toBeGreaterThan(60_000);
    expect(listening.server.headersTimeout).toBeLessThanOrEqual(listening.server.requestTimeout);
    await listening.close();
  });

  it.each([
    ['nonsense\r\n\r\n', /^HTTP\/1\.1 400 Bad Request\r\n[^]*\{"error":"bad_request"\}$/],
    [
      `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431 [^]*\{"error":"headers_too_large"\}$/,
    ],
  ])('listenHttp answers %.20j in our shape, with a request id', async (bytes, expected) => {
    const listening = await listenHttp(ok, '127.0.0.1:0');
    const received = await sendRaw(listening.port, bytes);
    expect(received).toMatch(expected);
    expect(received).toMatch(/\r\nX-Request-Id: req_/);
    await listening.close();
  });
});

describe('a client that does not read its response', () => {
  it('a client that does not read its response is cut, while one that reads gets all of it', async () => {
    const part = Buffer.alloc(64_000, 'x');
    const parts = 500;
    const send = (_request: IncomingMessage, response: ServerResponse) =>
      void Readable.from(Array(parts).fill(part)).pipe(response);
    const listening = await listenHttp(send, '127.0.0.1:0', { readMsMax: 3_000 });
    let cut = false;
    listening.server.once('connection', (socket) => socket.on('close', () => (cut = true)));
    const stalled = connect(listening.port, '127.0.0.1').pause();
    stalled.on('error', () => {}).write(GET);
    await until(() => stalled.bytesWritten > 0 && !stalled.connecting);
    const reader = await fetch(`http://${listening.address}`);
    expect((await reader.arrayBuffer()).byteLength).toBe(part.length * parts);
    await until(() => cut);
    stalled.destroy();
    await listening.close();
  });
});

describe('drain', () => {
  it('drain serves on and closes each connection after its next response', async () => {
    const listening = await listenHttp(ok, '127.0.0.1:0');
    const agent = new Agent({ keepAlive: true });
    const connectionOf = () =>
      new Promise<string | undefined>((resolve, reject) => {
        get({ port: listening.port, agent }, (response) => {
          response.resume().on('end', () => resolve(response.headers.connection));
        }).on('error', reject);
      });
    expect(await connectionOf()).toBe('keep-alive');
    listening.drain();
    expect([await connectionOf(), await connectionOf()]).toEqual(['close', 'close']);
    agent.destroy();
    await listening.close();
  });

  it('drain fails no request of clients that keep connections, while one replica after the other is replaced', async () => {
    const replicas = [await listenHttp(ok, '127.0.0.1:0'), await listenHttp(ok, '127.0.0.1:0')];
    /** Behaves like a load balancer: new connections go to replicas that were ready a moment ago, old ones are reused. */
    const pool = { ready: [...replicas] };
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    let done = 0;
    let running = true;
    const failures: unknown[] = [];
    const once = () =>
      new Promise<void>((resolve) => {
        const { port } = pool.ready[done++ % pool.ready.length]!;
        const fail = (error: unknown) => {
          failures.push(error);
          resolve();
        };
        get({ port, agent }, (response) => response.resume().on('end', resolve).on('error', fail)).on('error', fail);
      });
    const clients = Array.from({ length: 8 }, async () => {
      while (running) await once();
    });
    for (const old of replicas) {
      const before = done;
      await until(() => done > before + 100);
      old.drain();
      pool.ready = [...pool.ready.filter((one) => one !== old), await listenHttp(ok, '127.0.0.1:0')];
      const drained = done;
      await until(() => done > drained + 200);
      await old.close();
    }
    running = false;
    await Promise.all(clients);
    agent.destroy();
    await Promise.all(pool.ready.map((one) => one.close()));
    expect(failures).toEqual([]);
  });
});

describe('close', () => {
  it('close finishes requests in flight with Connection: close, and accepts no new ones', async () => {
    let waiting: ServerResponse | undefined;
    const listening = await listenHttp((_request, response) => void (waiting = response), '127.0.0.1:0');
    const received = sendRaw(listening.port, GET);
    await until(() => waiting !== undefined);
    const closed = listening.close();
    await expect(fetch(`http://${listening.address}`)).rejects.toThrow();
    waiting?.end('late');
    expect(await received).toMatch(/\r\nConnection: close\r\n[^]*late$/);
    await closed;
  });

  it('close does not wait for a connection that is idle', async () => {
    const listening = await listenHttp(ok, '127.0.0.1:0');
    const socket = connect(listening.port, '127.0.0.1');
    let received = '';
    socket.on('data', (data) => (received += data));
    socket.write(GET);
    await until(() => received.endsWith('ok'));
    const before = performance.now();
    await listening.close(60_000);
    expect(performance.now() - before).toBeLessThan(5_000);
    socket.destroy();
  });

  it('close closes a connection whose response has started as soon as it ends', async () => {
    let waiting: ServerResponse | undefined;
    const begin = (_request: IncomingMessage, response: ServerResponse) => {
      response.write('begun');
      waiting = response;
    };
    const listening = await listenHttp(begin, '127.0.0.1:0');
    const received = sendRaw(listening.port, GET);
    await until(() => waiting !== undefined);
    const closed = listening.close(60_000);
    waiting?.end();
    await closed;
    expect(await received).toContain('begun');
  });

  it('close cuts what has not finished within its limit, upgraded sockets included', async () => {
    let arrived = 0;
    const listening = await listenHttp(() => void arrived++, '127.0.0.1:0');
    listening.serveUpgrades('/cable', () => void arrived++);
    const hanging = sendRaw(listening.port, GET).catch(() => 'reset');
    const upgraded = sendRaw(
      listening.port,
      'GET /cable HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ).catch(() => 'reset');
    await until(() => arrived === 2);
    await listening.close(20);
    await Promise.all([hanging, upgraded]);
  });
});
