import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Dashboard } from '@parley/dashboard';
import express from 'express';
import { dashboardFiles } from './dashboard-files.ts';

const [script, chunk] = [Buffer.from('start()'), Buffer.from('more()')];
const file = (body: Buffer, immutable: boolean) => ({
  contentType: 'text/javascript; charset=utf-8',
  hash: 'h1',
  body,
  gzip: body,
  brotli: body,
  immutable,
  imports: immutable ? [] : ['chunk-1.js'],
});
let loads = 0;
const files = dashboardFiles(() => {
  loads += 1;
  const loaded: Dashboard = new Map([
    ['app.js', file(script, false)],
    ['chunk-1.js', file(chunk, true)],
  ]);
  return Promise.resolve(loaded);
});
const server = createServer(express().use(files.whenSigningIn, files.router));
let base: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

it('are loaded when somebody signs in', async () => {
  await fetch(`${base}/contacts`);
  expect(loads).toBe(0);
  await fetch(`${base}/signin`);
  expect(loads).toBe(1);
});

/** Without the headers that `fetch` adds to conditional requests. */
function request(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(base + path, { headers }, (response) => resolve(response.resume())).on('error', reject);
  });
}

it('are revalidated, except those whose name changes with their content', async () => {
  const app = await request('/assets/app.js');
  expect(app.headers).toMatchObject({ 'cache-control': 'public, no-cache', etag: '"h1"' });
  expect((await request('/assets/app.js', { 'if-none-match': '"h1"' })).statusCode).toBe(304);
  const compressed = await request('/assets/app.js', { 'accept-encoding': 'gzip, br' });
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'br', etag: '"h1-br"' });
  const { headers } = await request('/assets/chunk-1.js');
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

it('are 404 when unknown', async () => {
  expect((await fetch(`${base}/assets/other.js`)).status).toBe(404);
});
