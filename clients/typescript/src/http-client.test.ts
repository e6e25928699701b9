import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { jsonResponse, scriptedFetch } from '../test/scripted-fetch.ts';
import { HttpClient } from './http-client.ts';

const BASE = 'http://127.0.0.1:8081';

describe('a client of what is beside the API', () => {
  it('a client of what is beside the API sends its token, and gives the whole response', async () => {
    const { fetch, sent } = scriptedFetch(jsonResponse({ id: 'num_1' }, 201));
    const client = new HttpClient({ baseUrl: `${BASE}/`, token: 'op_1', fetch });
    const body = { number: '+4570112233' };
    const response = await client.request<{ id: string }>('post', '/operator/v1/numbers', { body, query: { a: 1 } });
    expect([response.status, response.body.id]).toEqual([201, 'num_1']);
    expect(sent[0]).toMatchObject({
      method: 'POST',
      url: `${BASE}/operator/v1/numbers?a=1`,
      body: JSON.stringify(body),
    });
    expect(sent[0]!.headers.get('authorization')).toBe('Bearer op_1');
    expect(() => client.request('GET', 'numbers')).toThrow('slash');
  });

  it('a client of what is beside the API needs no token', async () => {
    const { fetch, sent } = scriptedFetch(jsonResponse({ openapi: '3.1.0' }));
    await new HttpClient({ baseUrl: BASE, fetch }).request('GET', '/openapi.json');
    expect(sent[0]!.headers.get('authorization')).toBeNull();
  });

  it('a client of what is beside the API has its token in no error, also where the service repeats it', async () => {
    const { fetch } = scriptedFetch(jsonResponse({ error: 'op_1 is wrong' }, 401, { 'X-Given': 'Bearer op_1' }));
    const client = new HttpClient({ baseUrl: BASE, token: 'op_1', fetch });
    const error = await client.request('GET', '/clock').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AuthenticationError', status: 401 });
    expect((error as { headers: Headers }).headers.get('x-given')).toBe('Bearer [redacted]');
    expect(inspect([error, client], { depth: 9 })).not.toContain('op_1');
  });
});
