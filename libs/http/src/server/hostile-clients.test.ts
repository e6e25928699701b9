import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createApp } from './app.ts';
import { type Listening, listenHttp } from './listen.ts';
import { sendRaw, testLog, until } from '../../test/test-server.ts';

const UPGRADE = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
const log = testLog();

let listening: Listening;
/** Connections of the server that are open. */
let open: Set<Socket>;

async function listen(...[handler, options]: [Parameters<typeof listenHttp>[0]?, Parameters<typeof listenHttp>[2]?]) {
  listening = await listenHttp(handler ?? createApp({ apis: [], log }), '127.0.0.1:0', { log, ...options });
  open = new Set();
  listening.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
}

beforeEach(async () => {
  log.lines.length = 0;
  await listen();
});
afterEach(() => listening.close(0));

describe('a request', () => {
  it.each([
    ['GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['GET * HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['GET /a%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET /\u0001 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n', 400],
    ['GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['GET http://other.test/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['GET / HTTP/1.1\r\nHost: x\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n', 417],
  ])('the request %j is refused with a body of ours', async (bytes, status) => {
    const received = await sendRaw(listening.port, bytes);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toMatch(/\r\nX-Request-Id: req_/);
    expect(received).toMatch(/\r\nContent-Type: application\/json/);
    expect(received).toMatch(/\r\n\r\n\{"error":"\w+"\}$/);
  });

  it('a request in absolute form reaches its path, with the host of its target', async () => {
    await listening.close(0);
    await listen(({ url, headers }: IncomingMessage, response: ServerResponse) =>
      response.end(`${headers.host} ${url}`),
    );
    const received = await sendRaw(
      listening.port,
      'GET http://Other.test:81/a?b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(received).toMatch(/\r\n\r\nother\.test:81 \/a\?b$/);
  });

  it('a request whose handler throws ends its own connection only', async () => {
    await listening.close(0);
    await listen(() => {
      throw new Error('a defect');
    });
    await sendRaw(listening.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n').catch(() => 'reset');
    expect(log.lines).toMatchObject([{ level: 'error', message: 'request failed' }]);
    expect(listening.server.listening).toBe(true);
  });

  it('a request with an upgrade that is not served is an ordinary one', async () => {
    listening.serveUpgrades('/cable', () => {});
    const received = await sendRaw(
      listening.port,
      'GET /cable HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n',
    );
    expect(received).toMatch(/^HTTP\/1\.1 404 [^]*Cache-Control: no-store/);
  });
});

describe('an upgrade', () => {
  it.each([
    ['//', 404],
    ['/other', 404],
    ['/cable/', 404],
    ['http://[', 400],
    ['/%', 404],
    ['*', 400],
  ])('an upgrade of %s is refused with %i', async (target, status) => {
    listening.serveUpgrades('/cable', () => {});
    const received = await sendRaw(listening.port, `GET ${target} HTTP/1.1\r\n${UPGRADE}`);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\n\\r\\n\\{"error":"\\w+"\\}$`));
    await until(() => open.size === 0);
  });

  it('an upgrade reaches the handler of its path until it is no longer served', async () => {
    const queries: string[] = [];
    const stop = listening.serveUpgrades('/cable', (_request, socket, _head, { query }) => {
      queries.push(query);
      socket.end('taken');
    });
    expect(await sendRaw(listening.port, `GET /cable?token=a HTTP/1.1\r\n${UPGRADE}`)).toBe('taken');
    stop();
    expect(await sendRaw(listening.port, `GET /cable HTTP/1.1\r\nConnection: close\r\n${UPGRADE}`)).toContain(' 404 ');
    expect(queries).toEqual(['token=a']);
  });

  it('an upgrade whose handler throws ends its own connection only', async () => {
    listening.serveUpgrades('/cable', () => {
      throw new Error('a defect');
    });
    await sendRaw(listening.port, `GET /cable HTTP/1.1\r\n${UPGRADE}`).catch(() => 'reset');
    expect(log.lines).toMatchObject([{ level: 'error', message: 'an upgrade failed' }]);
  });

  it('an upgrade that is reset at once, wherever it goes, ends nothing and leaves no socket', async () => {
    let taken = 0;
    listening.serveUpgrades('/cable', () => void taken++);
    for (const target of ['/cable', '/other', '//', 'http://[']) {
      await Promise.all(
        Array.from({ length: 60 }, async () => {
          const socket = connect(listening.port, '127.0.0.1').on('error', () => {});
          await new Promise((resolve) => socket.once('connect', resolve));
          socket.write(`GET ${target} HTTP/1.1\r\n${UPGRADE}`, () => socket.resetAndDestroy());
        }),
      );
    }
    await until(() => open.size === 0);
    expect(listening.server.listening).toBe(true);
  });

  it('an upgrade that was refused is closed although the client keeps its half open', async () => {
    listening.serveUpgrades('/cable', () => {});
    const socket = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {}).write(`GET /other HTTP/1.1\r\n${UPGRADE}`);
    await until(() => open.size === 1);
    await until(() => open.size === 0);
    socket.destroy();
  });
});

describe('a port for programs', () => {
  it.each([
    ['Origin: http://evil.example', 403],
    ['Origin: null', 403],
    ['Sec-Fetch-Site: cross-site', 403],
    ['Sec-Fetch-Site: none', 404],
    ['Sec-Fetch-Mode: cors', 404],
  ])('a port for programs answers a request with %s with %i', async (header, status) => {
    await listening.close(0);
    await listen(undefined, { refusesPages: true });
    const received = await sendRaw(
      listening.port,
      `GET / HTTP/1.1\r\nHost: x\r\n${header}\r\nConnection: close\r\n\r\n`,
    );
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\\{"error":"\\w+"\\}$`));
  });
});

describe('connections of one address', () => {
  it('connections of one address above the maximum are closed, and the next one is taken when one has ended', async () => {
    await listening.close(0);
    await listen(undefined, { socketsPerAddressMax: 2 });
    const sockets = [0, 1].map(() => connect(listening.port, '127.0.0.1').on('error', () => {}));
    await until(() => open.size === 2);
    expect(await sendRaw(listening.port).catch(() => '')).toBe('');
    sockets[0]!.destroy();
    await until(() => open.size === 1);
    const received = await sendRaw(listening.port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(received).toContain('404');
    sockets[1]!.destroy();
  });
});
