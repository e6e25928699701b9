import { describe, expect, it } from '@jest/globals';
import type { Observe } from './api.ts';
import { CALLS, failing, servingInTests } from '../../test/test-calls-api.ts';

const serve = servingInTests();

describe('observe', () => {
  it('observe sees every request with its template, its time limit and its status', async () => {
    const seen: unknown[] = [];
    const observe: Observe =
      ({ template, timeLimitMs }) =>
      ({ method }, response, next) => {
        response.once('close', () => seen.push([method, template, timeLimitMs, response.statusCode]));
        next();
      };
    const slow = { ...failing(() => new Error('x')), timeLimitMs: 60_000 };
    const { call } = await serve([...CALLS, slow], { observe });
    await call('/api/v1/calls/call_1');
    await call('/api/v1/calls/call_1', { method: 'PUT' });
    await call('/api/v1/nothing/here');
    await call('/api/v1/fails');
    expect(seen).toEqual([
      ['GET', '/api/v1/calls/:id', undefined, 200],
      ['PUT', '/api/v1/calls/:id', undefined, 405],
      ['GET', undefined, undefined, 404],
      ['GET', '/api/v1/fails', 60_000, 500],
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no tracer');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no tracer'))],
  ])('an observer that %s leaves no client without a response', async (_how, middleware) => {
    const { call, log } = await serve(CALLS, { observe: () => middleware });
    const answered = await call('/api/v1/calls/c', { headers: { 'x-request-id': 'r-1' } });
    expect(answered).toMatchObject({ status: 500, json: { error: 'internal_error', request_id: 'r-1' } });
    expect(log.lines).toMatchObject([{ level: 'error', message: 'request failed' }]);
  });
});
