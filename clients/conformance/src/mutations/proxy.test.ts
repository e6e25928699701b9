import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { sendJson, startTestServer, type TestServer } from '../../test/test-server.ts';
import { ApiClient } from '../http/api-client.ts';
import { Connections, Network } from '../http/network.ts';
import type { Mutation } from './mutation.ts';
import { type Proxy, startProxy } from './proxy.ts';

const BYTES = Buffer.from([0, 255, 10, 128]);
const connections = new Connections();
let server: TestServer;
let proxy: Proxy;

beforeAll(async () => {
  server = await startTestServer((request, body, response) => {
    if (request.url === '/bytes') response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(BYTES);
    else if (request.url === '/empty') response.writeHead(204).end();
    else if (request.url === '/foreign') sendJson(response, 404, { error: 'not_found' });
    else sendJson(response, 200, { url: request.url, host: request.headers.host, body });
  });
  server.server.on('upgrade', (request, socket) => {
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nX-Host: ${request.headers.host}\r\n\r\n`);
    socket.pipe(socket);
  });
});
afterEach(() => proxy.close());
afterAll(async () => {
  connections.close();
  await server.close();
});

async function start(mutation: Partial<Mutation>): Promise<ApiClient> {
  proxy = await startProxy(server.url, {
    id: 'contacts-test',
    sentence: 'It is wrong.',
    areas: ['contacts'],
    profile: 'api',
    where: { method: 'GET', path: '/things/:id' },
    ...mutation,
  });
  const network = new Network({ connections, detour: { base: server.url, via: proxy.url } });
  return new ApiClient(network, server.url, '');
}

describe('the proxy', () => {
  it('the proxy passes on what a mutation does not concern, byte by byte', async () => {
    const client = await start({ answer: () => ({ status: 500, headers: {}, body: '' }) });
    const host = new URL(server.url).host;
    await client.post('/things/1?a=%2B1', { x: 1 }).gives(200, { url: '/things/1?a=%2B1', host, body: '{"x":1}' });
    await client.get('/things/1/parts').gives(200);
    expect(Buffer.from((await client.get('/bytes')).bytes)).toEqual(BYTES);
    await client.get('/empty').givesNothing();
    expect(proxy.changed()).toBe(0);
  });

  it('the proxy changes answers, knowing the request and earlier answers', async () => {
    const client = await start({
      where: { method: '*', path: '/:thing' },
      answer: (answer, { request, seen }) =>
        answer.status === 404
          ? { ...seen('GET /things')!, headers: { ...answer.headers, 'x-of': request.path } }
          : answer,
    });
    await client.get('/things').gives(200);
    await client.get('/foreign').givesHeaders(200, { 'x-of': '/foreign' });
    expect(proxy.changed()).toBe(1);
  });

  it('the proxy changes requests', async () => {
    const client = await start({
      where: { method: 'POST', path: '/things' },
      request: (request) => ({ ...request, query: new URLSearchParams(), body: { x: 'longer than before' } }),
    });
    await client.post('/things?limit=1', { x: 1 }).gives(200, { url: '/things', body: '{"x":"longer than before"}' });
  });

  it('the proxy passes WebSockets with the host of the server', async () => {
    await start({});
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    const received = await new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
        if (text.endsWith('\r\n\r\n')) socket.write('hello');
        if (text.endsWith('hello')) resolve(text);
      });
      socket.write('GET /cable HTTP/1.1\r\nHost: proxy\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    socket.destroy();
    expect(received).toContain(`X-Host: ${new URL(server.url).host}`);
  });

  it('the proxy says that the server cannot be reached', async () => {
    proxy = await startProxy('http://127.0.0.1:1', {
      id: 'x',
      sentence: 'X.',
      areas: ['calls'],
      profile: 'api',
      where: { method: '*', path: '/' },
    });
    const network = new Network({ connections });
    const { status, text } = await new ApiClient(network, proxy.url, '').get('/');
    expect([status, text]).toEqual([502, expect.stringContaining('the proxy could not reach http://127.0.0.1:1')]);
  });
});
