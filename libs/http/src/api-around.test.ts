import { describe, expect, it } from '@jest/globals';
import type { RequestEnd, RequestStart } from './api.ts';
import { CALLS, failing, serve } from './test-calls-api.ts';
import { until } from './test-server.ts';

describe('around', () => {
  it('sees every request with its template and its end', async () => {
    const seen: [Omit<RequestStart, 'request' | 'requestId'>, RequestEnd][] = [];
    const error = new Error('x');
    const { call } = await serve([...CALLS, failing(() => error)], {
      around: async ({ method, route }, next) => {
        const end = await next();
        seen.push([{ method, route }, end]);
        return end;
      },
    });
    await call('/api/v1/calls/call_1');
    await call('/api/v1/calls/call_1', { method: 'PUT' });
    await call('/api/v1/nothing/here');
    await call('/api/v1/fails');
    expect(seen).toEqual([
      [{ method: 'GET', route: '/api/v1/calls/:id' }, { status: 200 }],
      [{ method: 'PUT', route: '/api/v1/calls/:id' }, { status: 405 }],
      [{ method: 'GET', route: undefined }, { status: 404 }],
      [
        { method: 'GET', route: '/api/v1/fails' },
        { status: 500, error },
      ],
    ]);
  });

  it('that fails itself is logged and crashes nothing', async () => {
    const { call, log } = await serve(CALLS, {
      around: async (_start, next) => {
        await next();
        throw new Error('exporter is down');
      },
    });
    expect(await call('/api/v1/calls/c')).toMatchObject({ status: 200 });
    await until(() => log.lines.some(({ message }) => message === 'request hook failed'));
  });
});

describe('around, before it calls next,', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('no tracer');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no tracer'))],
  ])('%s, and the client still gets an answer', async (_how, around) => {
    const { call, log } = await serve(CALLS, { around });
    const answered = await call('/api/v1/calls/c', { headers: { 'x-request-id': 'r-1' } });
    expect(answered).toMatchObject({ status: 500, json: { error: 'internal_error', request_id: 'r-1' } });
    expect(log.lines).toMatchObject([{ level: 'error', message: 'request hook failed' }]);
  });
});
