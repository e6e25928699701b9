import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import express from 'express';
import { type DashboardFiles, dashboardFiles } from './dashboard-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-dashboard-files-'));
const log = { warn: jest.fn() };
let files: DashboardFiles;
let base: string;
const server = createServer((request, response) => express().use(files.router)(request, response));

beforeAll(async () => {
  mkdirSync(path.join(folder, '.vite'));
  const manifest = {
    'main.tsx': { file: 'app.js', imports: ['_shell.js'] },
    '_shell.js': { file: 'shell-R64utrGQ.js' },
    'calls/index.tsx': { file: 'calls-x_-4utrG.js', imports: ['_shell.js', '_list.js'] },
    '_list.js': { file: 'list-R64utrGQ.js' },
  };
  writeFileSync(path.join(folder, '.vite/manifest.json'), JSON.stringify(manifest));
  for (const name of ['app.js', 'app.js.br', 'app.js.gz', 'shell-R64utrGQ.js', 'manifest.webmanifest'])
    writeFileSync(path.join(folder, name), `content of ${name}`);
  files = dashboardFiles(folder, log);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Without the headers that `fetch` adds to conditional requests. */
function request(name: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(base + name, { headers }, (response) => resolve(response.resume())).on('error', reject);
  });
}

describe('files of the dashboard', () => {
  it('files of the dashboard are revalidated, except those whose name changes with their content', async () => {
    const app = await request('/assets/app.js');
    expect(app.headers).toMatchObject({
      'cache-control': 'public, no-cache',
      'content-type': 'text/javascript; charset=utf-8',
      'service-worker-allowed': '/dashboard/',
      vary: 'Accept-Encoding',
    });
    const { etag = '' } = app.headers;
    expect((await request('/assets/app.js', { 'if-none-match': etag })).statusCode).toBe(304);
    const { headers } = await request('/assets/shell-R64utrGQ.js');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await request('/assets/manifest.webmanifest')).headers['content-type']).toMatch(/manifest\+json/);
  });

  it('files of the dashboard are sent compressed to browsers that accept it, with another tag', async () => {
    const plain = await request('/assets/app.js');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const brotli = await request('/assets/app.js', { 'accept-encoding': 'gzip, br' });
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'content-length': String('content of app.js.br'.length),
    });
    expect(brotli.headers.etag).not.toBe(plain.headers.etag);
    const gzip = await request('/assets/app.js', { 'accept-encoding': 'gzip' });
    expect(gzip.headers['content-encoding']).toBe('gzip');
  });

  it.each(['other.js', '.vite', '..%2Fpackage.json', '.vite%2Fmanifest.json'])(
    'files of the dashboard are 404 for %s',
    async (name) => {
      expect((await request(`/assets/${name}`)).statusCode).toBe(404);
    },
  );

  it('files of the dashboard of a section are those of the shell and its own, with what both import at once', () => {
    expect(files.scriptsOf('inbox')).toEqual(['app.js', 'shell-R64utrGQ.js']);
    const names = ['app.js', 'calls-x_-4utrG.js', 'shell-R64utrGQ.js', 'list-R64utrGQ.js'];
    expect(files.scriptsOf('calls')).toEqual(names);
    expect(files.scriptsOf('__proto__')).toEqual(['app.js', 'shell-R64utrGQ.js']);
  });

  it('files of the dashboard that are not built are reported, and the gateway starts', () => {
    expect(dashboardFiles(path.join(folder, 'nothing'), log).scriptsOf('calls')).toEqual([]);
    expect(log.warn).toHaveBeenCalledTimes(1);
  });
});
