import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { invalid, notFound, Refused } from '@parley/errors';
import { json } from '../responses/response.ts';
import type { Observe } from './api.ts';
import { endpoint } from './endpoint.ts';
import { about, type Principal, failing, readCall, servingInTests } from '../../test/test-calls-api.ts';
import { until } from '../../test/test-server.ts';

const serve = servingInTests();

describe('a handler that throws', () => {
  it('a refusal is answered by its kind and logged as nothing', async () => {
    const { call, log } = await serve([failing(() => new Refused(invalid({ phone: ['has already been taken'] })))]);
    expect(await call('/api/v1/fails')).toMatchObject({
      status: 422,
      json: { errors: { phone: ['has already been taken'] } },
    });
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('not found has the same response as an unknown path', async () => {
    const { call } = await serve([failing(() => new Refused(notFound))]);
    const [unknownId, unknownPath] = [await call('/api/v1/fails'), await call('/api/v1/unknown')];
    const seen = ({ status, text, headers }: typeof unknownId) => {
      const { date: _d, 'x-request-id': _id, ...rest } = Object.fromEntries(headers);
      return { status, text, rest };
    };
    expect(seen(unknownId)).toEqual(seen(unknownPath));
  });

  it('any other error is logged once and its response contains no details', async () => {
    const { call, log } = await serve([failing(() => new Error('mongodb://user:secret@db'))]);
    const answered = await call('/api/v1/fails', { headers: { 'x-request-id': 'r-1' } });
    expect(answered).toMatchObject({ status: 500, text: '{"error":"internal_error","request_id":"r-1"}' });
    const errors = log.lines.filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([
      { message: 'request failed', fields: { request_id: 'r-1', route: '/api/v1/fails' } },
    ]);
    expect(errors[0]?.fields.err).toHaveProperty('stack', expect.stringContaining('api-failures.test.ts'));
  });

  it('a handler that throws is answered 503 when the service behind it is away', async () => {
    const { call, log } = await serve([failing(() => Object.assign(new Error('x'), { name: 'Unavailable' }))]);
    const answered = await call('/api/v1/fails', { headers: { 'x-request-id': 'r-1' } });
    expect(answered).toMatchObject({ status: 503, text: '{"error":"unavailable","request_id":"r-1"}' });
    expect(answered.headers.get('retry-after')).toBe('1');
    expect(log.lines).toMatchObject([
      { level: 'warn', message: 'request failed', fields: { request_id: 'r-1', route: '/api/v1/fails', status: 503 } },
    ]);
  });

  it('a handler that throws, or gives what cannot be JSON, becomes a 500', async () => {
    const odd = { ...failing(() => 0), handle: () => json(200, { who: 1n }) };
    const { call } = await serve([odd], { checkResponses: false });
    expect(await call('/api/v1/fails')).toMatchObject({ status: 500, json: { error: 'internal_error' } });
  });
});

describe('a client that disconnects', () => {
  it('a client that disconnects aborts the signal and is no error', async () => {
    let aborted = false;
    const ends: boolean[] = [];
    const slow = endpoint<Principal>()({
      role: 'none',
      ...about,
      route: 'GET /slow',
      summary: 'Wait',
      handle: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(signal.reason);
          });
          socket.destroy();
        }),
    });
    const observe: Observe = () => (_request, response, next) => {
      response.once('close', () => ends.push(response.writableFinished));
      next();
    };
    const { port, log, call } = await serve([slow, readCall], { observe });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /api/v1/slow HTTP/1.1\r\nHost: x\r\nX-Api-Key: pk_ada\r\n\r\n');
    await until(() => ends.length > 0);
    expect([aborted, ends[0]]).toEqual([true, false]);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await call('/api/v1/calls/c')).toMatchObject({ status: 200 });
  });
});
