import { inspect } from 'node:util';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { emptyResponse, jsonResponse, scriptedFetch } from '../test/scripted-fetch.ts';
import { Parley } from './parley.ts';
import { VERSION } from './version.ts';

const BASE = 'https://phone.example';

describe('a client', () => {
  it('a client shows its key nowhere', () => {
    const parley = new Parley({ apiKey: 'pk_not_to_be_seen', baseUrl: BASE });
    expect(inspect(parley, { depth: 9, showHidden: true })).toBe('Parley {}');
    expect(inspect({ ...parley }, { depth: 9, showHidden: true }) + JSON.stringify(parley)).not.toContain('pk_not');
  });

  it.each([
    ['https://phone.example/', 'https://phone.example/api/v1/company'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/api/v1/company'],
    ['https://proxy.example/parley//', 'https://proxy.example/parley/api/v1/company'],
  ])('a client at %s sends to %s', async (baseUrl, url) => {
    const { fetch, sent } = scriptedFetch(jsonResponse({}));
    await new Parley({ apiKey: 'pk_1', baseUrl, fetch }).company.get();
    expect(sent[0]!.url).toBe(url);
  });

  it.each(['', 'phone.example', 'ftp://phone.example', 'https://ane:secret@phone.example'])(
    'a client cannot have the address %j, which is not repeated',
    (baseUrl) => {
      const make = () => new Parley({ apiKey: 'pk_1', baseUrl });
      expect(make).toThrow(/^baseUrl/);
      expect(make).not.toThrow('secret');
    },
  );

  it('a client takes what is missing from the environment', async () => {
    const { fetch, sent } = scriptedFetch(jsonResponse({}));
    process.env['PARLEY_API_KEY'] = 'pk_env';
    process.env['PARLEY_BASE_URL'] = 'https://env.example';
    try {
      await new Parley({ fetch }).company.get();
    } finally {
      delete process.env['PARLEY_API_KEY'];
      delete process.env['PARLEY_BASE_URL'];
    }
    expect([sent[0]!.url, sent[0]!.headers.get('x-api-key')]).toEqual(['https://env.example/api/v1/company', 'pk_env']);
    expect(() => new Parley({ baseUrl: BASE })).toThrow('apiKey is missing');
  });

  it('a client says who it is', async () => {
    const { fetch, sent } = scriptedFetch(jsonResponse({}));
    await new Parley({ apiKey: 'pk_1', baseUrl: BASE, fetch, userAgent: 'calendar/2' }).company.get();
    expect(sent[0]!.headers.get('user-agent')).toBe(`calendar/2 parley-sdk-typescript/${VERSION}`);
  });

  it.each(['../package.json', '../../../package.json'])('a client has the version in %s', async (file) => {
    const manifest = await readFile(new URL(file, import.meta.url), 'utf8');
    expect((JSON.parse(manifest) as { version: string }).version).toBe(VERSION);
  });

  it('a client sends any request, and gives the whole response', async () => {
    const headers = { 'Idempotent-Replayed': 'true' };
    const { fetch, sent } = scriptedFetch(
      jsonResponse({ id: 1 }, 201, headers),
      emptyResponse(204),
      new Response('a,b'),
    );
    const parley = new Parley({ apiKey: 'pk_1', baseUrl: BASE, fetch });
    const created = await parley.request<{ id: number }>('post', '/things', { query: { a: 1 }, body: { b: 2 } });
    expect([created.status, created.body.id, created.headers.get('idempotent-replayed')]).toEqual([201, 1, 'true']);
    expect(sent[0]).toMatchObject({ method: 'POST', url: `${BASE}/api/v1/things?a=1`, body: '{"b":2}' });
    expect((await parley.request('DELETE', '/things/1')).body).toBeUndefined();
    expect((await parley.request('GET', '/things.csv')).body).toBe('a,b');
    expect(() => parley.request('GET', 'things')).toThrow('slash');
  });
});
