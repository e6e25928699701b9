import { describe, expect, it } from '@jest/globals';
import { emptyResponse, jsonResponse, networkError, scriptedFetch } from '../../test/scripted-fetch.ts';
import { ConnectionError, ParleyError, ServerError, TimeoutError } from '../errors.ts';
import { apiKeyCredential } from './credential.ts';
import { type ApiRequest, Transport } from './transport.ts';

const NOW = { 'Retry-After': '0' };
const KEY = 'pk_not_to_be_seen';

function transportWith(fetch: typeof globalThis.fetch, options: { timeoutMs?: number; maxRetries?: number } = {}) {
  const transport = new Transport({
    baseUrl: 'https://phone.example',
    credential: apiKeyCredential(KEY),
    timeoutMs: 5000,
    maxRetries: 3,
    fetch,
    userAgent: 'test',
    ...options,
  });
  return (request: Partial<ApiRequest> = {}) =>
    transport.send({ method: 'GET', path: '/api/v1/company', accept: 'json', ...request });
}

async function failure(sending: Promise<unknown>): Promise<any> {
  return sending.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: unknown) => error,
  );
}

describe('a request', () => {
  it('a request has the key, the query and the body as JSON', async () => {
    const { fetch, sent } = scriptedFetch(jsonResponse({ id: 1 }, 201));
    const query = { a: 1, b: ['x', 'y'], c: undefined, d: null, e: new Date(0), f: false };
    const { status, body } = await transportWith(fetch)({ method: 'POST', query, body: { name: 'Ane' } });
    expect([status, body]).toEqual([201, { id: 1 }]);
    expect(sent[0]!.url).toBe(
      'https://phone.example/api/v1/company?a=1&b=x%2Cy&e=1970-01-01T00%3A00%3A00.000Z&f=false',
    );
    expect(Object.fromEntries(sent[0]!.headers)).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'test',
      'x-api-key': KEY,
    });
    expect(sent[0]!.body).toBe('{"name":"Ane"}');
  });

  it('a request without a response body has none', async () => {
    const { fetch } = scriptedFetch(emptyResponse(204));
    expect((await transportWith(fetch)()).body).toBeUndefined();
  });

  it.each([
    ['GET', {}, 2],
    ['PUT', {}, 2],
    ['PATCH', {}, 2],
    ['DELETE', {}, 2],
    ['POST', { idempotencyKey: 'k' }, 2],
    ['POST', { repeatable: true }, 2],
    ['POST', {}, 1],
  ])('a request %s %j is sent %i times when the connection is lost once', async (method, more, times) => {
    const lost = networkError('ECONNRESET');
    const { fetch, sent } = scriptedFetch(lost, jsonResponse({}));
    const sending = transportWith(fetch)({ method, ...more });
    await (times === 1 ? expect(sending).rejects.toThrow(ConnectionError) : sending);
    expect(sent).toHaveLength(times);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });

  it('a POST is repeated when it was never sent', async () => {
    const { fetch, sent } = scriptedFetch(networkError('ECONNREFUSED'), jsonResponse({}));
    await transportWith(fetch)({ method: 'POST' });
    expect(sent).toHaveLength(2);
  });

  it('a request gives up after its retries with the last error', async () => {
    const busy = jsonResponse({ error: 'rate_limited', code: 'rate_limited' }, 429, { ...NOW, 'X-Request-Id': 'r7' });
    const { fetch, sent } = scriptedFetch(busy);
    const error = await failure(transportWith(fetch)());
    expect(error).toMatchObject({ name: 'RateLimitError', status: 429, requestId: 'r7', retryAfterSecs: 0 });
    expect(sent).toHaveLength(4);
  });

  it('a DELETE that was repeated takes 404 as done, and one that was not does not', async () => {
    const repeated = scriptedFetch(emptyResponse(503, NOW), jsonResponse({ error: 'not_found' }, 404));
    expect((await transportWith(repeated.fetch)({ method: 'DELETE', accept: 'any' })).status).toBe(204);
    const once = scriptedFetch(jsonResponse({ error: 'not_found' }, 404));
    expect(await failure(transportWith(once.fetch)({ method: 'DELETE', accept: 'any' }))).toMatchObject({
      status: 404,
    });
  });

  it.each([
    ['no JSON', new Response('<html>')],
    ['half of a JSON', new Response('{"id":')],
    ['a JSON that is no object', new Response('"text"')],
    ['nothing', new Response('')],
    ['a redirect', emptyResponse(302, { Location: 'https://elsewhere.example' })],
    ['too many bytes', new Response('x'.repeat(65 * 1024 * 1024))],
  ])('a request that is answered with %s fails at once', async (_name, response) => {
    const { fetch, sent } = scriptedFetch(response);
    expect(await failure(transportWith(fetch)())).toBeInstanceOf(ServerError);
    expect(sent).toHaveLength(1);
  });

  it('a Retry-After of years is an error at once', async () => {
    const { fetch, sent } = scriptedFetch(emptyResponse(503, { 'Retry-After': '1e9' }));
    expect(await failure(transportWith(fetch)())).toMatchObject({ name: 'ServerError', retryAfterSecs: 1e9 });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['never comes, whatever its signal says', () => new Promise<Response>(() => undefined)],
    ['never ends', () => Promise.resolve(new Response(new ReadableStream()))],
  ])('a request whose response %s ends at the time limit', async (_name, respond) => {
    const { fetch } = scriptedFetch(respond);
    const started = performance.now();
    const error = await failure(transportWith(fetch, { timeoutMs: 50, maxRetries: 0 })());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('a request ends with the reason of its signal, also between its retries', async () => {
    const { fetch, sent } = scriptedFetch(emptyResponse(503, { 'Retry-After': '50' }));
    const stop = new AbortController();
    const sending = failure(transportWith(fetch)({ signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 20);
    expect(await sending).toMatchObject({ message: 'enough' });
    expect(sent).toHaveLength(1);
  });

  it('an error of a request never has the key in it', async () => {
    const echo = jsonResponse({ error: `unknown key ${KEY}`, headers: { 'X-Api-Key': KEY } }, 401);
    const { inspect } = await import('node:util');
    for (const response of [echo, new Response(`<p>${KEY}</p>`, { status: 500 }), new Error(`cannot send ${KEY}`)]) {
      const error = await failure(transportWith(scriptedFetch(response).fetch, { maxRetries: 0 })());
      expect(error).toBeInstanceOf(ParleyError);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY);
    }
  });

  it.each(['pk_ä', 'pk_a b', 'pk_a\r\nX: y', '', undefined])('the key %j is refused without being shown', (key) => {
    expect(() => apiKeyCredential(key as string)).toThrow('apiKey is not a text');
  });

  it.each([0, -1, NaN, Infinity, 2 ** 31])('a request cannot have the time limit %j', async (timeoutMs) => {
    await expect(transportWith(scriptedFetch(jsonResponse({})).fetch)({ timeoutMs })).rejects.toThrow(TypeError);
  });
});
