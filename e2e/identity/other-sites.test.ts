import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { send, sharedStack } from '../support/api.ts';

const stack = sharedStack();

describe('a page of another site', () => {
  it('a page of another site may call the endpoints that programs call, and none that looks at cookies', async () => {
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };
    for (const path of [
      '/oauth/token',
      '/oauth/register',
      '/oauth/revoke',
      '/.well-known/oauth-authorization-server',
    ]) {
      const preflight = await send('OPTIONS', `${stack.base_url}${path}`, { headers });
      expect([path, preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([path, 204, '*']);
      expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    }
    for (const path of ['/oauth/authorize', '/signin', '/dashboard/api-keys']) {
      const reply = await send('GET', `${stack.base_url}${path}`, { headers });
      expect([path, reply.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  });
});

describe('a strange Host header', () => {
  it('a strange Host header ends up in no document', async () => {
    const { port } = new URL(stack.base_url);
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'evil.example' };
      const path = '/.well-known/oauth-authorization-server';
      request({ host: '127.0.0.1', port, path, headers }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
      })
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(body).issuer).toBe(stack.base_url);
  });
});
