import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createEgress, type EgressOptions, type EgressRequest } from '../src/egress.ts';
import { selfSigned } from './self-signed.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listening(server: Server | TcpServer, scheme = 'http'): Promise<string> {
  const sockets = new Set<Socket>();
  server.on(scheme === 'https' ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const receiver = (answer: RequestListener) => listening(createHttpServer(answer));

/** A server that responds with exactly these bytes. */
const rawReceiver = (speak: (socket: Socket) => void) =>
  listening(createTcpServer((socket) => socket.once('data', () => speak(socket))));

function sender(origin: string, options: EgressOptions = {}) {
  const egress = createEgress({ allowedOrigins: [origin], ...options });
  cleanups.push(() => egress.close());
  return (request: Partial<EgressRequest> = {}) =>
    egress.request({ method: 'POST', url: `${origin}/hook`, timeoutMs: 5_000, maxResponseBytes: 1_000, ...request });
}

describe('a request to an allowed origin', () => {
  it('a request to an allowed origin arrives as it was made and brings back status, headers and body', async () => {
    const origin = await receiver(async (request, response) => {
      const body = await request.setEncoding('utf8').toArray();
      response.writeHead(202, { 'x-seen': 'yes' });
      response.end(JSON.stringify([request.method, request.url, request.headers['x-key'], body.join('')]));
    });
    const answer = await sender(origin)({ url: `${origin}/a?b=c#d`, headers: { 'x-key': 'k' }, body: '{"é":1}' });
    expect(answer).toMatchObject({ status: 202, truncated: false, headers: { 'x-seen': 'yes' } });
    expect(JSON.parse(answer.body.toString())).toEqual(['POST', '/a?b=c', 'k', '{"é":1}']);
  });

  it('a request to an allowed origin reaches that origin only, not another port', async () => {
    let arrived = 0;
    const otherOrigin = await receiver((_, response) => {
      arrived += 1;
      response.end();
    });
    const origin = await receiver((_, response) => response.end());
    await expect(sender(origin)({ url: otherOrigin })).rejects.toMatchObject({ reason: 'refused_address' });
    expect(arrived).toBe(0);
  });

  it('a request to an allowed origin does not follow a redirect', async () => {
    const paths: unknown[] = [];
    const origin = await receiver((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await sender(origin)()).toMatchObject({ status: 307, headers: { location: '/elsewhere' } });
    expect(paths).toEqual(['/hook']);
  });

  it('a request to an allowed origin does not go through a proxy named in the environment', async () => {
    let proxied = 0;
    const proxy = await listening(
      createTcpServer((socket) => {
        proxied += 1;
        socket.destroy();
      }),
    );
    const before = { ...process.env };
    Object.assign(process.env, { HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy });
    cleanups.push(() => {
      process.env = before;
    });
    const origin = await receiver((_, response) => response.end());
    expect(await sender(origin)()).toMatchObject({ status: 200 });
    expect(proxied).toBe(0);
  });
});

describe('the body of an answer', () => {
  it('the body of an answer can be used piece by piece before its end', async () => {
    const { promise: read, resolve: onRead } = Promise.withResolvers<void>();
    const origin = await receiver(async (_, response) => {
      response.writeHead(201).write('first');
      await read;
      response.end('x'.repeat(2_000));
    });
    const pieces: [string, number][] = [];
    const answer = await sender(origin)({
      onData(piece, { status }) {
        pieces.push([piece.toString(), status]);
        onRead();
      },
    });
    expect(pieces[0]).toEqual(['first', 201]);
    expect(pieces.map(([text]) => text).join('')).toBe(answer.body.toString());
    expect([answer.body.length, answer.truncated]).toEqual([1_000, true]);
  });

  it('the body of an answer is complete when it has exactly the expected length', async () => {
    const origin = await receiver((_, response) => response.end('x'.repeat(1_000)));
    const answer = await sender(origin)();
    expect([answer.body.length, answer.truncated]).toEqual([1_000, false]);
  });

  it('the body of an answer is read up to the bound when it never ends, and the connection is dropped', async () => {
    let dropped: Promise<unknown> = Promise.resolve();
    const origin = await receiver((request, response) => {
      dropped = new Promise((close) => request.socket.on('close', close));
      const more = () => {
        while (response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const answer = await sender(origin)();
    expect([answer.status, answer.body.length, answer.truncated]).toEqual([200, 1_000, true]);
    await dropped;
  });

  it('the body of an answer is truncated at the time limit when it is slow, and the status is kept', async () => {
    let requests = 0;
    const origin = await receiver((_, response) => {
      if (++requests === 1) response.end();
      else response.write('slow');
    });
    const send = sender(origin);
    await send(); // the time limit is not for the connection
    const answer = await send({ timeoutMs: 500 });
    expect([answer.status, answer.body.toString(), answer.truncated]).toEqual([200, 'slow', true]);
  });

  it('the body of an answer is truncated where the connection breaks, and the status is kept', async () => {
    const origin = await rawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
    const answer = await sender(origin)();
    expect([answer.status, answer.body.toString(), answer.truncated]).toEqual([200, 'half', true]);
  });
});

describe('a request without an answer', () => {
  it('a request without an answer ends at the time limit when the receiver is silent', async () => {
    const origin = await receiver(() => {});
    await expect(sender(origin)({ timeoutMs: 200 })).rejects.toMatchObject({
      reason: 'timeout',
      message: 'no answer within 0.2 s',
    });
  });

  it('a request without an answer ends at the time limit when the headers drip', async () => {
    const origin = await rawReceiver((socket) => {
      const drip = setInterval(() => socket.write('x'), 20);
      socket.write('HTTP/1.1 200 OK\r\nx-drip: ');
      socket.on('close', () => clearInterval(drip));
    });
    await expect(sender(origin)({ timeoutMs: 300 })).rejects.toMatchObject({ reason: 'timeout' });
  });

  it('a request without an answer ends when it is given up, also after the status has arrived', async () => {
    for (const answer of [() => {}, (_: unknown, response: { write(text: string): void }) => response.write('x')]) {
      const control = new AbortController();
      const origin = await receiver((request, response) => {
        answer(request, response);
        setImmediate(() => control.abort());
      });
      await expect(sender(origin)({ signal: control.signal })).rejects.toMatchObject({ reason: 'aborted' });
    }
  });

  it('a request without an answer is never started when it was given up before', async () => {
    let arrived = 0;
    const origin = await receiver((_, response) => {
      arrived += 1;
      response.end();
    });
    await expect(sender(origin)({ signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: 'aborted' });
    expect(arrived).toBe(0);
  });

  it.each([
    ['a flood of headers', `HTTP/1.1 200 OK\r\n${'x-flood: y\r\n'.repeat(5_000)}\r\n`],
    ['one endless header', `HTTP/1.1 200 OK\r\nx-flood: ${'y'.repeat(100_000)}`],
    ['something that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'],
  ])('a request without an answer is a protocol error when the receiver sends %s', async (_, bytes) => {
    const origin = await rawReceiver((socket) => socket.write(bytes));
    await expect(sender(origin)()).rejects.toMatchObject({ name: 'EgressError', reason: 'protocol' });
  });

  it('a request without an answer is a protocol error when the receiver hangs up', async () => {
    const origin = await rawReceiver((socket) => socket.destroy());
    await expect(sender(origin)()).rejects.toMatchObject({
      reason: 'protocol',
      message: 'the connection was closed without an answer',
    });
  });

  it('a request without an answer is a connect error without a listener, and the message contains no address', async () => {
    const server = createTcpServer();
    const origin = await listening(server);
    server.close();
    await once(server, 'close');
    await expect(sender(origin)()).rejects.toMatchObject({ reason: 'connect', message: 'the connection was refused' });
  });

  it('a request without an answer is a DNS error when the name does not resolve', async () => {
    const send = sender('http://127.0.0.1:1', { resolve: async () => [] });
    await expect(send({ url: 'https://nowhere.test/' })).rejects.toMatchObject({ reason: 'dns' });
    const failing = sender('http://127.0.0.1:1', { resolve: () => Promise.reject(new Error('SERVFAIL')) });
    await expect(failing({ url: 'https://nowhere.test/' })).rejects.toMatchObject({
      reason: 'dns',
      message: 'the host name does not resolve',
    });
  });

  it('a request without an answer is out of time when the name server is silent', async () => {
    const send = sender('http://127.0.0.1:1', { resolve: () => new Promise(() => {}), connectTimeoutMs: 100 });
    await expect(send({ url: 'https://silent.test/' })).rejects.toMatchObject({ reason: 'timeout' });
  });
});

describe('TLS', () => {
  const tlsReceiver = () =>
    listening(
      createHttpsServer(selfSigned, (_, response) => response.end('secret')),
      'https',
    );

  it('TLS is refused when the certificate is not trusted, also for an allowed origin', async () => {
    const origin = await tlsReceiver();
    await expect(sender(origin)()).rejects.toMatchObject({ reason: 'tls' });
  });

  it('TLS is refused when the receiver does not support it', async () => {
    const origin = (await rawReceiver((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))).replace(
      'http',
      'https',
    );
    await expect(sender(origin)()).rejects.toMatchObject({ reason: 'tls' });
  });

  it('TLS is accepted for the name on a trusted certificate and refused for another', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, selfSigned.cert]);
    cleanups.push(() => setDefaultCACertificates(trusted));
    const origin = await tlsReceiver();
    expect(await sender(origin)()).toMatchObject({ status: 200 });
    const otherName = origin.replace('127.0.0.1', '127.0.0.2');
    const server = createHttpsServer(selfSigned, (_, response) => response.end());
    server.listen(Number(new URL(origin).port), '127.0.0.2');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    await expect(sender(otherName)()).rejects.toMatchObject({ reason: 'tls' });
  });
});

describe('sockets', () => {
  it('sockets are bounded per origin; the rest wait in line, and their time limit starts with their turn', async () => {
    let open = 0;
    let openMax = 0;
    const held: (() => void)[] = [];
    const origin = await receiver((_, response) => {
      open += 1;
      openMax = Math.max(openMax, open);
      held.push(() => {
        open -= 1;
        response.end();
      });
      if (held.length === 3) setTimeout(() => held.splice(0).forEach((answer) => answer()), 100);
    });
    const send = sender(origin, { maxSocketsPerOrigin: 3 });
    // Ten turns of a tenth of the time limit, and two more.
    const answers = await Promise.all(Array.from({ length: 36 }, () => send({ timeoutMs: 1000 })));
    expect(answers.map(({ status }) => status)).toEqual(Array(36).fill(200));
    expect(openMax).toBe(3);
  });

  it('sockets of one slow origin do not delay another', async () => {
    const slow = await receiver(() => {});
    const quick = await receiver((_, response) => response.end());
    const send = sender(slow, { allowedOrigins: [slow, quick], maxSocketsPerOrigin: 1 });
    const control = new AbortController();
    const stuck = Promise.allSettled([1, 2, 3].map(() => send({ signal: control.signal })));
    expect(await send({ url: quick })).toMatchObject({ status: 200 });
    control.abort();
    expect((await stuck).map((end) => end.status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('sockets are used again for the next request', async () => {
    const ports = new Set<unknown>();
    const origin = await receiver((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    const send = sender(origin, { maxSocketsPerOrigin: 1 });
    for (let n = 0; n < 5; n += 1) await send();
    expect(ports.size).toBe(1);
  });

  it('sockets stay open for the last 256 idle origins only', async () => {
    const sockets = new Set<Socket>();
    const server = createHttpServer((_, response) => response.end());
    server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
    // Every address of 127.0.0.0/8 is this machine, so one listener can be many origins.
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    cleanups.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const origins = Array.from({ length: 300 }, (_, n) =>
      `http://127.0.1.${n % 250}:${port}`.replace('.1.', n < 250 ? '.1.' : '.2.'),
    );
    const send = sender('', { allowedOrigins: origins });
    await Promise.all(origins.map((url) => send({ url })));
    await until(() => sockets.size <= 256);
    expect(sockets.size).toBe(256);
  });

  it('sockets are all closed by close, and requests in progress end', async () => {
    const origin = await receiver(() => {});
    const egress = createEgress({ allowedOrigins: [origin], maxSocketsPerOrigin: 1 });
    const request: EgressRequest = { method: 'GET', url: origin, timeoutMs: 5_000, maxResponseBytes: 1 };
    const underWay = Promise.allSettled([egress.request(request), egress.request(request)]);
    await egress.close();
    expect(await underWay).toMatchObject([{ reason: { reason: 'aborted' } }, { reason: { reason: 'aborted' } }]);
    await expect(egress.request(request)).rejects.toMatchObject({ reason: 'aborted' });
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((next) => setTimeout(next, 10));
}
