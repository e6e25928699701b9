import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createRateLimiter } from './rate-limit.ts';
import { CALLS, deleteCall, readCall, servingInTests } from '../../test/test-calls-api.ts';
import { sendRaw } from '../../test/test-server.ts';

const serve = servingInTests();

describe('routing', () => {
  it.each([
    ['GET', '/api/v1/calls/call_1', 200, { who: 'Ada', id: 'call_1' }],
    ['GET', '/api/v1/calls/active', 200, { who: 'Ada', id: 'active' }],
    ['GET', '/api/v1/calls/%2B45?x=1', 200, { who: 'Ada', id: '+45' }],
    ['DELETE', '/api/v1/calls/call_1', 204, undefined],
    ['GET', '/api/v1/unknown', 404, { error: 'not_found' }],
    ['GET', '/api/v1', 404, { error: 'not_found' }],
    ['GET', '/api/v1calls', 404, { error: 'not_found' }],
    ['GET', '/api/v1/calls/', 404, { error: 'not_found' }],
    ['GET', '/calls/active', 404, { error: 'not_found' }],
    ['GET', '/api/v1/calls/%E0%A4%A', 404, { error: 'not_found' }],
    ['POST', '/api/v1/unknown', 404, { error: 'not_found' }],
    ['POST', '/api/v1/calls/call_1', 405, { error: 'method_not_allowed' }],
    ['OPTIONS', '/api/v1/calls/call_1', 405, { error: 'method_not_allowed' }],
  ])('routing answers %s %s with %i', async (method, path, status, json) => {
    const { call } = await serve(CALLS);
    expect(await call(path, { method })).toMatchObject({ status, json });
  });

  it('routing lists the allowed methods of a path', async () => {
    const { call } = await serve(CALLS);
    const answered = await call('/api/v1/calls/call_1', { method: 'PUT', body: 'ignored' });
    expect(answered.headers.get('allow')).toBe('DELETE, GET, HEAD');
  });

  it('routing answers HEAD like GET, without the body', async () => {
    const { call } = await serve(CALLS);
    const get = await call('/api/v1/calls/call_1');
    const head = await call('/api/v1/calls/call_1', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  });

  it('routing takes a request target in absolute form', async () => {
    const { port } = await serve(CALLS);
    const head = 'HTTP/1.1\r\nHost: x\r\nX-Api-Key: pk_ada\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(port, `GET http://x/api/v1/calls/active ${head}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendRaw(port, `OPTIONS * ${head}`)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    [[readCall, readCall], 'declared twice'],
    [[{ ...readCall, params: z.object({ call_id: z.string() }) }], 'its schema'],
    [[{ ...readCall, deprecated: { since: 'some day' } }], 'not a date'],
  ])('routing does not start with declarations that contradict each other', async (routes, why) => {
    await expect(serve(routes)).rejects.toThrow(why);
  });
});

describe('credentials', () => {
  it.each([
    ['GET', '/api/v1/calls/call_1', 401],
    ['PUT', '/api/v1/calls/call_1', 401],
    ['GET', '/api/v1/calls?direction=up', 401],
    ['GET', '/api/v1/unknown', 404],
  ])('credentials come first on a known path: %s %s without any is %i', async (method, path, status) => {
    const { url } = await serve(CALLS);
    expect((await fetch(url + path, { method })).status).toBe(status);
  });

  it('credentials that are wrong are refused with the challenge and a request id', async () => {
    const { call } = await serve(CALLS);
    const answered = await call('/api/v1/calls/call_1', { headers: { 'x-api-key': 'pk_eve' } });
    expect(answered).toMatchObject({ status: 401, text: '{"error":"Invalid API key"}' });
    expect(answered.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(answered.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('credentials are checked before a body is read', async () => {
    const { port } = await serve([{ ...deleteCall, method: 'post' }]);
    const received = await sendRaw(
      port,
      'POST /api/v1/calls/c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
    );
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('the general limit', () => {
  it('the general limit is counted per credential, reported in headers and rejected with 429', async () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 2, clock: { now: () => new Date(0) } });
    const { call } = await serve(CALLS, { limit: { limiter, keyOf: (principal) => principal.name } });
    const first = await call('/api/v1/calls/c');
    expect(first.headers.get('ratelimit')).toBe('"default";r=1;t=1');
    expect(first.headers.get('ratelimit-policy')).toBe('"default";q=2;w=2');
    await call('/api/v1/calls/c');
    const refused = await call('/api/v1/calls/c');
    expect(refused).toMatchObject({ status: 429, json: { error: 'rate_limited', code: 'rate_limited' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit')).toBe('"default";r=0;t=1');
    expect(await call('/api/v1/unknown')).toMatchObject({ status: 404 });
  });
});
