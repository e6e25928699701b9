import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApi, createApp, type Listening, listenHttp } from '@parley/http';
import { eventTypes } from '@parley/public-json';
import { apiDocsRouter } from './api-docs-router.ts';

const log = { error: () => {}, warn: () => {}, debug: () => {} };
let listening: Listening;
beforeAll(async () => {
  const api = createApi({ prefix: '/api/v1', endpoints: [] });
  const routers = [apiDocsRouter(api, 'https://api.example', () => 'https://own.example')];
  listening = await listenHttp(createApp({ apis: [], routers, log }), '127.0.0.1:0');
});
afterAll(() => listening.close());

const get = (path: string) => fetch(`http://${listening.address}${path}`);

describe('the API reference', () => {
  it('the API reference is a page that loads its scripts and styles from here, and may load nothing else', async () => {
    const response = await get('/docs');
    const page = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(page).not.toMatch(/<script>|<script [^>]*>[^<]|<style|\son\w+=|\sstyle=/);
    const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file as string);
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      expect(file).toMatch(/^(docs\/|openapi\.json$)/);
      const found = await get(`/${file}`);
      expect([file, found.status, (await found.arrayBuffer()).byteLength > 20]).toEqual([file, 200, true]);
    }
  });

  it('the reference of all events is a page without scripts that loads nothing but the typeface', async () => {
    const response = await get('/docs/events');
    const page = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect([response.status, policy.startsWith("default-src 'none'; style-src 'sha256-")]).toEqual([200, true]);
    expect(policy).not.toMatch(/script-src|unsafe/);
    expect(page).not.toMatch(/<script|\son\w+=|\sstyle=|<img|<link rel="stylesheet"/);
    for (const type of [...eventTypes, 'webhook.test']) expect(page).toContain(`<h2 id="${type}">`);
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(50);
    for (const id of links) expect(page).toContain(`id="${id}"`);
  });

  it('the reference of all events has when, fields and example of each', async () => {
    const page = await (await get('/docs/events')).text();
    const section = page.slice(page.indexOf('<h2 id="contact.created">'), page.indexOf('<h2 id="contact.updated">'));
    expect(section).toContain('A contact was added.');
    expect(section).toContain('<code>data.contact.phone</code></th><td>string</td><td>E.164</td>');
    expect(section).toContain('&quot;event&quot;: &quot;contact.created&quot;');
    expect(page).toContain('call.outside_opening_hours');
  });

  it('the guides are pages without scripts, with the base address of the request', async () => {
    const list = await get('/docs/guides');
    const guide = await get('/docs/guides/quickstart-curl');
    for (const { status, headers } of [list, guide]) {
      const policy = headers.get('content-security-policy') ?? '';
      expect([status, policy.startsWith("default-src 'none'; style-src 'sha256-")]).toEqual([200, true]);
      expect(policy).not.toMatch(/script-src|unsafe/);
    }
    expect(await list.text()).toContain('href="guides/quickstart-curl"');
    expect(await guide.text()).toContain('export PARLEY_BASE_URL=https://own.example\n');
    for (const page of ['/docs/events', '/docs/guides'])
      expect(await (await get(page)).text()).toContain('href="../docs/guides"');
  });

  it('the AsyncAPI document is served with the address of the installation', async () => {
    const document = await (await get('/asyncapi.json')).json();
    expect(document).toMatchObject({ asyncapi: '3.0.0', servers: { parley: { host: 'api.example' } } });
  });

  it.each([
    '/docs/',
    '/docs/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/swagger-ui.js',
    '/docs/assets',
    '/docs/guides/',
    '/docs/guides/nowhere',
    '/docs/guides/..%2fevents',
  ])('the API reference serves no other file: %s', async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([404, '{"error":"not_found"}']);
  });
});
