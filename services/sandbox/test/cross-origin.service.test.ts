import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnNats, ownNats } from '@parley/testkit';
import { startSandbox, type TestSandbox } from './start-sandbox.ts';

let nats: OwnNats;
let sandbox: TestSandbox;
beforeAll(async () => {
  nats = await ownNats();
  sandbox = await startSandbox(nats, 'parley', { PUBLIC_URL: 'http://127.0.0.1:18080' });
});
afterAll(async () => {
  await sandbox?.stop();
  await nats?.close();
});

const preflight = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' };
const ask = (method: string, headers: Record<string, string>) => fetch(`${sandbox.url}/faults`, { method, headers });

describe('a page of another origin', () => {
  it.each(['http://127.0.0.1:18080', 'http://localhost:18080'])(
    'a page of another origin of our own, %s, may use the sandbox',
    async (origin) => {
      const asked = await ask('OPTIONS', { origin, ...preflight });
      expect(asked.status).toBe(204);
      expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
      expect(asked.headers.get('access-control-allow-methods')).toContain('PUT');
      expect(asked.headers.get('access-control-allow-headers')).toBe('Content-Type');
      const read = await ask('GET', { origin });
      expect([read.status, read.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      expect(read.headers.get('vary')).toBe('Origin');
    },
  );

  it.each(['http://127.0.0.1:18081', 'https://localhost:18080', 'http://evil.example', 'null'])(
    'a page of %s may not use the sandbox',
    async (origin) => {
      for (const method of ['OPTIONS', 'GET']) {
        const response = await ask(method, { origin, ...preflight });
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
        expect(response.headers.get('access-control-allow-methods')).toBeNull();
        expect(response.status).toBe(403);
      }
    },
  );

  it('a page of another origin cannot move the clock or place a call, with a form or by a name of its own', async () => {
    const { now } = (await sandbox.ask('GET', '/clock')).body;
    const body = '{"seconds": 86400}';
    const forms = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    for (const path of ['/clock/advance', '/calls', '/messages'])
      for (const type of forms) {
        const plain = await sandbox.ask('POST', path, body, { 'content-type': type });
        expect([path, type, plain.status, plain.body.code]).toEqual([path, type, 415, 'unsupported_media_type']);
        const cross = await sandbox.ask('POST', path, body, { 'content-type': type, origin: 'http://evil.example' });
        expect([path, type, cross.status, cross.body.code]).toEqual([path, type, 403, 'foreign_origin']);
      }
    const elapsedMs = Date.parse((await sandbox.ask('GET', '/clock')).body.now) - Date.parse(now);
    expect(elapsedMs).toBeLessThan(3_600_000);
  });

  it('a page of another origin cannot read mail by DNS rebinding, while the names of this machine can', async () => {
    const { port } = new URL(sandbox.url);
    const statuses = Object.fromEntries(
      await Promise.all(
        [`evil.example:${port}`, 'evil.example', '192.0.2.1', `localhost:${port}`, `127.0.0.1:${port}`].map(
          async (host) => [host, await statusOf('/emails?to=a@b.example', host)] as const,
        ),
      ),
    );
    expect(statuses).toEqual({
      [`evil.example:${port}`]: 403,
      'evil.example': 403,
      '192.0.2.1': 403,
      [`localhost:${port}`]: 200,
      [`127.0.0.1:${port}`]: 200,
    });
  });

  it('a page of another origin does not keep receivers of webhooks from taking bodies of any type', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect((await sandbox.ask('POST', '/hooks/any', 'a=b', { 'content-type': type })).status).toBe(200);
  });
});

/** `fetch` does not send another Host. */
function statusOf(path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${sandbox.url}${path}`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}
