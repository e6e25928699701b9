import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnNats, ownNats, waitUntil } from '@parley/testkit';
import { startSandbox, type TestSandbox } from './start-sandbox.ts';

let nats: OwnNats;
let sandbox: TestSandbox;
beforeAll(async () => {
  nats = await ownNats();
  sandbox = await startSandbox(nats);
});
afterAll(async () => {
  await sandbox?.stop();
  await nats?.close();
});

const script = (name: string, responses: unknown[]) => sandbox.ask('PUT', `/servers/${name}`, { responses });
const asked = async (name: string) => (await sandbox.ask('GET', `/servers/${name}`)).body;

describe('a scripted server', () => {
  it('a scripted server responds to every method and path in the order of its script, the last response repeating', async () => {
    const responses = [{ status: 503, headers: { 'Retry-After': '2' } }, { status: 201, body: { id: 1 } }, {}];
    expect((await script('ordered', responses)).status).toBe(204);
    const given = [
      await sandbox.ask('POST', '/servers/ordered/api/v1/contacts', { name: 'Ane' }),
      await sandbox.ask('GET', '/servers/ordered/api/v1/contacts?limit=1'),
      await sandbox.ask('DELETE', '/servers/ordered/'),
      await sandbox.ask('PATCH', '/servers/ordered/x', 'plain'),
    ];
    expect(given.map(({ status, body }) => [status, body])).toEqual([
      [503, ''],
      [201, { id: 1 }],
      [200, ''],
      [200, ''],
    ]);
    expect(given[0]!.headers.get('retry-after')).toBe('2');
    expect(await asked('ordered')).toMatchObject([
      { method: 'POST', path: '/api/v1/contacts', body: { name: 'Ane' }, answered: 503 },
      { method: 'GET', path: '/api/v1/contacts?limit=1', body: null, answered: 201 },
      { method: 'DELETE', path: '/', body: null, answered: 200 },
      { method: 'PATCH', path: '/x', body: 'plain', answered: 200 },
    ]);
  });

  it('a scripted server takes forms and shows the headers of requests', async () => {
    await script('forms', [{ status: 200 }]);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'X-Own': 'yes' };
    expect((await sandbox.ask('POST', '/servers/forms/oauth/token', 'a=1', headers)).status).toBe(200);
    const sent = { 'content-type': 'application/x-www-form-urlencoded', 'x-own': 'yes' };
    expect(await asked('forms')).toMatchObject([{ body: 'a=1', headers: sent }]);
  });

  it('a scripted server cuts its response off after the bytes of its script', async () => {
    const body = 'x'.repeat(100);
    await script('cut', [{ body, cut_after_bytes: 0 }, { body, cut_after_bytes: 40 }, { body }]);
    const url = `${sandbox.url}/servers/cut/`;
    await expect(fetch(url)).rejects.toThrow();
    const broken = await fetch(url);
    expect([broken.status, broken.headers.get('content-length')]).toEqual([200, '100']);
    await expect(broken.text()).rejects.toThrow();
    expect(await (await fetch(url)).text()).toBe(body);
    expect(await asked('cut')).toMatchObject([{ answered: null }, { answered: null }, { answered: 200 }]);
  });

  it('a scripted server delays its response in real time and shows a request as unanswered meanwhile', async () => {
    await script('slow', [{ status: 204, delay_ms: 500 }]);
    const waiting = sandbox.ask('GET', '/servers/slow/x');
    await waitUntil(async () => (await asked('slow')).length === 1, { what: 'the request' });
    expect(await asked('slow')).toMatchObject([{ answered: null }]);
    expect((await waiting).status).toBe(204);
    expect(await asked('slow')).toMatchObject([{ answered: 204 }]);
  });

  it('a scripted server starts a new script at its first response, keeps what it was asked, and is forgotten', async () => {
    await script('again', [{ status: 500 }, { status: 502 }]);
    await sandbox.ask('GET', '/servers/again/1');
    await script('again', [{ status: 418 }]);
    expect((await sandbox.ask('GET', '/servers/again/2')).status).toBe(418);
    expect(await asked('again')).toHaveLength(2);
    expect((await sandbox.ask('DELETE', '/servers/again')).status).toBe(204);
    expect((await sandbox.ask('GET', '/servers/again')).status).toBe(404);
    expect((await sandbox.ask('GET', '/servers/again/3')).status).toBe(404);
  });

  it.each([
    [{ responses: [] }],
    [{ responses: [{ status: 99 }] }],
    [{ responses: [{ cut_after_bytes: -1 }] }],
    [{ responses: [{ delay_ms: 600_001 }] }],
    [{ responses: [{ headers: { 'Content-Length': '5' } }] }],
  ])('a scripted server cannot have the script %j', async (input) => {
    expect((await sandbox.ask('PUT', '/servers/wrong', input)).status).toBe(422);
  });

  it('a scripted server does not take a body beyond a mebibyte', async () => {
    await script('large', [{ status: 200 }]);
    expect((await sandbox.ask('POST', '/servers/large/', { text: 'x'.repeat(1024 * 1024) })).status).toBe(413);
    expect(await asked('large')).toEqual([]);
  });
});
