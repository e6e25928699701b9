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
    'of our own, %s, may use the sandbox',
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
    '%s may not',
    async (origin) => {
      for (const method of ['OPTIONS', 'GET']) {
        const response = await ask(method, { origin, ...preflight });
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
        expect(response.headers.get('access-control-allow-methods')).toBeNull();
      }
    },
  );
});
