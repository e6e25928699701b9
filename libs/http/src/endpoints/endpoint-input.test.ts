import { describe, expect, it } from '@jest/globals';
import { refusal } from '@parley/errors';
import { z } from 'zod';
import { json } from '../responses/response.ts';
import { HttpError } from '../responses/error-responses.ts';
import { endpoint } from './endpoint.ts';
import { about, type Principal, CALLS, readCall, servingInTests } from '../../test/test-calls-api.ts';

const serve = servingInTests();

describe('a query', () => {
  it.each([
    ['', { direction: null, limit: 10 }],
    ['?direction=inbound&limit=3&unknown=1&unknown=2', { direction: 'inbound', limit: 3 }],
    ['?', { direction: null, limit: 10 }],
  ])('a query of %s is read', async (query, json) => {
    const { call } = await serve(CALLS);
    expect(await call(`/api/v1/calls${query}`)).toMatchObject({ status: 200, json });
  });

  it.each([
    ['?direction=up', 'direction', 'must be one of inbound, outbound'],
    ['?direction=inbound&direction=outbound', 'direction', 'must be given only once'],
    ['?direction[]=inbound', 'direction', 'must be a single value'],
    ['?direction[$ne]=x', 'direction', 'must be a single value'],
    ['?limit=x', 'limit', 'must be a number'],
    ['?limit=1.5', 'limit', 'must be an integer'],
  ])('a query of %s is 422 by its field', async (query, field, message) => {
    const { call } = await serve(CALLS);
    expect(await call(`/api/v1/calls${query}`)).toMatchObject({
      status: 422,
      json: { error: `${field} ${message}`, code: 'validation_failed', errors: { [field]: [message] } },
    });
  });
});

describe('input that does not fit', () => {
  it('input that does not fit is another refusal where the route declares one', async () => {
    const callerContext = endpoint<Principal>()({
      role: 'none',
      ...about,
      route: 'GET /caller_context',
      summary: 'Look a caller up',
      query: z.object({ phone: z.string() }),
      inputError: ({ part, fields }) =>
        part === 'query' && 'phone' in fields ? new HttpError(400, { error: 'phone parameter required' }) : undefined,
      handle: ({ query }) => json(200, { who: query.phone, id: '' }),
    });
    const preview = endpoint<Principal>()({
      role: 'none',
      ...about,
      route: 'POST /previews',
      summary: 'Preview',
      body: z.object({ kind: z.enum(['welcome']), text: z.string() }),
      inputError: ({ fields }) => ('kind' in fields ? refusal('limit_reached', 'kind is unknown') : undefined),
      handle: ({ body }) => json(200, { who: body.kind, id: body.text }),
    });
    const { call } = await serve([callerContext, preview]);
    expect(await call('/api/v1/caller_context')).toMatchObject({
      status: 400,
      text: '{"error":"phone parameter required"}',
    });
    expect(await call('/api/v1/previews', { method: 'POST' })).toMatchObject({
      status: 422,
      json: { error: 'kind is unknown', code: 'limit_reached' },
    });
  });

  it('input that does not fit is not reported where the route finds that the resource does not exist', async () => {
    const settings = endpoint<Principal>()({
      role: 'none',
      ...about,
      route: 'PATCH /settings/:id',
      summary: 'Change settings',
      body: z.object({ on: z.boolean() }),
      async beforeRefusing({ params, rejectedBody }) {
        if (params.id === 'off') throw new HttpError(404, { error: 'not_found' });
        return params.id === 'both' ? { other: [`is wrong in ${JSON.stringify(rejectedBody)}`] } : undefined;
      },
      handle: ({ params, context }) => json(200, { who: context.name, id: params.id }),
    });
    const { call } = await serve([settings]);
    const patch = (id: string, body: string) =>
      call(`/api/v1/settings/${id}`, { method: 'PATCH', body, headers: { 'Content-Type': 'application/json' } });
    expect(await patch('off', '{"on":1}')).toMatchObject({ status: 404, text: '{"error":"not_found"}' });
    expect(await patch('on', '{"on":1}')).toMatchObject({ status: 422, json: { code: 'validation_failed' } });
    expect(await patch('both', '{"on":1}')).toMatchObject({
      status: 422,
      json: { errors: { on: ['must be true or false'], other: ['is wrong in {"on":1}'] } },
    });
    expect(await patch('on', '{"on":true}')).toMatchObject({ status: 200 });
  });

  it('input that does not fit in the path names nothing', async () => {
    const { call } = await serve([{ ...readCall, params: z.object({ id: z.string().max(3) }) }]);
    expect(await call('/api/v1/calls/four')).toMatchObject({ status: 404, text: '{"error":"not_found"}' });
    expect(await call('/api/v1/calls/one')).toMatchObject({ status: 200 });
  });

  it('input that does not fit in a header is named by it', async () => {
    const send = endpoint<Principal>()({
      role: 'none',
      ...about,
      route: 'POST /messages',
      summary: 'Send',
      headers: z.object({ 'idempotency-key': z.string().max(5) }),
      handle: ({ headers }) => json(200, { who: headers['idempotency-key'], id: '' }),
    });
    const { call } = await serve([send]);
    const key = (value: string) => ({ method: 'POST', headers: { 'Idempotency-Key': value } });
    expect(await call('/api/v1/messages', key('k1'))).toMatchObject({ status: 200, json: { who: 'k1' } });
    expect(await call('/api/v1/messages', key('too long'))).toMatchObject({
      status: 422,
      json: { errors: { 'idempotency-key': ['is too long (maximum is 5 characters)'] } },
    });
  });
});
