import { describe, expect, it } from '@jest/globals';
import { json } from '../responses/response.ts';
import { endpoint } from './endpoint.ts';
import { about, type Principal, CALLS, readCall, servingInTests } from '../../test/test-calls-api.ts';

const serve = servingInTests();

describe('every answer', () => {
  it.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])(
    'every answer carries the request id %.20s of the caller',
    async (id) => {
      const { call } = await serve(CALLS);
      for (const path of ['/api/v1/calls/c', '/api/v1/unknown']) {
        expect((await call(path, { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id);
      }
    },
  );

  it.each(['', 'x'.repeat(129), 'a b', 'a"b', 'ä', '../a'])(
    'every answer has its own id instead of %.20j',
    async (id) => {
      const { call } = await serve(CALLS);
      const { headers } = await call('/api/v1/calls/c', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f-]{36}$/);
    },
  );

  it('every answer is JSON with its length, is not cached or sniffed, and does not name the server software', async () => {
    const { call } = await serve(CALLS);
    const { headers } = await call('/api/v1/calls/ø');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength('{"who":"Ada","id":"ø"}')),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.has('etag') || headers.has('x-powered-by')).toBe(false);
  });

  it('every answer may replace what all answers carry', async () => {
    const cached = endpoint<Principal>()({
      role: 'none',
      ...about,
      route: 'GET /cached',
      summary: 'Read',
      handle: () => json(200, { who: 'a', id: 'b' }, { 'cache-control': 'max-age=60', 'Set-Cookie': ['a=1', 'b=2'] }),
    });
    const { call } = await serve([cached]);
    const { headers } = await call('/api/v1/cached');
    expect([headers.get('cache-control'), headers.getSetCookie()]).toEqual(['max-age=60', ['a=1', 'b=2']]);
  });

  it('every answer of a deprecated route has a Deprecation header', async () => {
    const { call } = await serve([{ ...readCall, deprecated: { since: '2030-01-01', sunset: '2031-01-01' } }]);
    const { headers } = await call('/api/v1/calls/c');
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([
      '@1893456000',
      'Wed, 01 Jan 2031 00:00:00 GMT',
    ]);
  });
});
