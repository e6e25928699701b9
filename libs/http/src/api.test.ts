import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { invalid, notFound, Refused, refusal } from '@parley/errors';
import { z } from 'zod';
import { answer, empty } from './answer.ts';
import type { RequestEnd, RequestStart } from './api.ts';
import { HttpError, unauthorized } from './error-answers.ts';
import { createRateLimiter } from './rate-limit.ts';
import { type Route, route } from './route.ts';
import { sendRaw, serveApi, until } from './test-server.ts';

interface Caller {
  readonly name: string;
}

const named = z.object({ who: z.string(), id: z.string() });
const about = { tag: 'Calls', answers: { 200: named } } as const;

const readCall = route<Caller>()({
  ...about,
  method: 'get',
  path: '/calls/:id',
  summary: 'Read a call',
  handle: ({ params, context }) => answer(200, { who: context.name, id: params.id }),
});
const activeCall = route<Caller>()({
  ...about,
  method: 'get',
  path: '/calls/active',
  summary: 'Read the active call',
  handle: ({ context }) => answer(200, { who: context.name, id: 'active' }),
});
const deleteCall = route<Caller>()({
  method: 'delete',
  path: '/calls/:id',
  tag: 'Calls',
  summary: 'Delete a call',
  answers: { 204: null },
  handle: () => empty(204),
});
const listCalls = route<Caller>()({
  method: 'get',
  path: '/calls',
  tag: 'Calls',
  summary: 'List calls',
  query: z.object({
    direction: z.enum(['inbound', 'outbound']).optional(),
    limit: z.coerce.number().int().default(10),
  }),
  answers: { 200: z.object({ direction: z.string().nullable(), limit: z.int() }) },
  handle: ({ query }) => answer(200, { direction: query.direction ?? null, limit: query.limit }),
});

function failing(error: () => unknown): Route<Caller> {
  return route<Caller>()({
    ...about,
    method: 'get',
    path: '/fails',
    summary: 'Fail',
    handle: () => {
      throw error();
    },
  });
}

function authenticate({ headers }: { headers: Record<string, unknown> }): Caller {
  if (headers['x-api-key'] === 'pk_ada') return { name: 'Ada' };
  throw unauthorized(headers['x-api-key'] === undefined ? 'Missing credentials' : 'Invalid API key');
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(routes: Route<Caller>[], more: Partial<Parameters<typeof serveApi<Caller>>[0]> = {}) {
  const served = await serveApi<Caller>({ prefix: '/api/v1', routes, authenticate, ...more });
  closers.push(served.close);
  async function call(path: string, init: RequestInit = {}) {
    const headers = { 'x-api-key': 'pk_ada', ...(init.headers as Record<string, string>) };
    const response = await fetch(served.url + path, { ...init, headers });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text === '' ? undefined : JSON.parse(text),
    };
  }
  return { ...served, call };
}

const CALLS = [readCall, activeCall, deleteCall, listCalls];

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
  ])('answers %s %s with %i', async (method, path, status, json) => {
    const { call } = await serve(CALLS);
    expect(await call(path, { method })).toMatchObject({ status, json });
  });

  it('says which methods a path has', async () => {
    const { call } = await serve(CALLS);
    const answered = await call('/api/v1/calls/call_1', { method: 'PUT', body: 'ignored' });
    expect(answered.headers.get('allow')).toBe('DELETE, GET, HEAD');
  });

  it('answers HEAD like GET, without the body', async () => {
    const { call } = await serve(CALLS);
    const get = await call('/api/v1/calls/call_1');
    const head = await call('/api/v1/calls/call_1', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  });

  it('takes a request target in absolute form', async () => {
    const { port } = await serve(CALLS);
    const head = 'HTTP/1.1\r\nHost: x\r\nX-Api-Key: pk_ada\r\nConnection: close\r\n\r\n';
    expect(await sendRaw(port, `GET http://x/api/v1/calls/active ${head}`)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendRaw(port, `OPTIONS * ${head}`)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it.each([
    [[readCall, readCall], 'declared twice'],
    [[{ ...readCall, params: z.object({ call_id: z.string() }) }], 'its schema'],
    [[{ ...readCall, deprecated: { since: 'some day' } }], 'not a date'],
  ])('does not start with declarations that contradict each other', async (routes, why) => {
    await expect(serve(routes)).rejects.toThrow(why);
  });
});

describe('credentials', () => {
  it.each([
    ['GET', '/api/v1/calls/call_1', 401],
    ['PUT', '/api/v1/calls/call_1', 401],
    ['GET', '/api/v1/calls?direction=up', 401],
    ['GET', '/api/v1/unknown', 404],
  ])('come first on a known path: %s %s without any is %i', async (method, path, status) => {
    const { url } = await serve(CALLS);
    expect((await fetch(url + path, { method })).status).toBe(status);
  });

  it('that are wrong are refused with the challenge and a request id', async () => {
    const { call } = await serve(CALLS);
    const answered = await call('/api/v1/calls/call_1', { headers: { 'x-api-key': 'pk_eve' } });
    expect(answered).toMatchObject({ status: 401, text: '{"error":"Invalid API key"}' });
    expect(answered.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(answered.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('are checked before a body is read', async () => {
    const { port } = await serve([{ ...deleteCall, method: 'post' }]);
    const received = await sendRaw(
      port,
      'POST /api/v1/calls/c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
    );
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('every answer', () => {
  it.each(['a', 'A.b_c:d-9', 'x'.repeat(128)])('carries the request id %.20s of the caller', async (id) => {
    const { call } = await serve(CALLS);
    for (const path of ['/api/v1/calls/c', '/api/v1/unknown']) {
      expect((await call(path, { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toBe(id);
    }
  });

  it.each(['', 'x'.repeat(129), 'a b', 'a"b', 'ä', '../a'])('has its own id instead of %.20j', async (id) => {
    const { call } = await serve(CALLS);
    const { headers } = await call('/api/v1/calls/c', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f-]{36}$/);
  });

  it('is JSON with its length, not to be cached or guessed at, and says nothing about what serves it', async () => {
    const { call } = await serve(CALLS, { headers: { 'X-House': 'parley' } });
    const { headers } = await call('/api/v1/calls/ø');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength('{"who":"Ada","id":"ø"}')),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-house': 'parley',
    });
    expect(headers.has('etag') || headers.has('x-powered-by')).toBe(false);
  });

  it('may replace what all answers carry', async () => {
    const cached = route<Caller>()({
      ...about,
      method: 'get',
      path: '/cached',
      summary: 'Read',
      handle: () => answer(200, { who: 'a', id: 'b' }, { 'cache-control': 'max-age=60', 'Set-Cookie': ['a=1', 'b=2'] }),
    });
    const { call } = await serve([cached]);
    const { headers } = await call('/api/v1/cached');
    expect([headers.get('cache-control'), headers.getSetCookie()]).toEqual(['max-age=60', ['a=1', 'b=2']]);
  });

  it('of a route that will go says so', async () => {
    const { call } = await serve([{ ...readCall, deprecated: { since: '2030-01-01', sunset: '2031-01-01' } }]);
    const { headers } = await call('/api/v1/calls/c');
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([
      '@1893456000',
      'Wed, 01 Jan 2031 00:00:00 GMT',
    ]);
  });
});

describe('a query', () => {
  it.each([
    ['', { direction: null, limit: 10 }],
    ['?direction=inbound&limit=3&unknown=1&unknown=2', { direction: 'inbound', limit: 3 }],
    ['?', { direction: null, limit: 10 }],
  ])('of %s is read', async (query, json) => {
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
  ])('of %s is 422 by its field', async (query, field, message) => {
    const { call } = await serve(CALLS);
    expect(await call(`/api/v1/calls${query}`)).toMatchObject({
      status: 422,
      json: { error: `${field} ${message}`, code: 'validation_failed', errors: { [field]: [message] } },
    });
  });
});

describe('input that does not fit', () => {
  it('is another refusal where the route says so', async () => {
    const callerContext = route<Caller>()({
      ...about,
      method: 'get',
      path: '/caller_context',
      summary: 'Look a caller up',
      query: z.object({ phone: z.string() }),
      refuseInput: ({ part, fields }) =>
        part === 'query' && 'phone' in fields ? new HttpError(400, { error: 'phone parameter required' }) : undefined,
      handle: ({ query }) => answer(200, { who: query.phone, id: '' }),
    });
    const preview = route<Caller>()({
      ...about,
      method: 'post',
      path: '/previews',
      summary: 'Preview',
      body: z.object({ kind: z.enum(['welcome']), text: z.string() }),
      refuseInput: ({ fields }) => ('kind' in fields ? refusal('limit_reached', 'kind is unknown') : undefined),
      handle: ({ body }) => answer(200, { who: body.kind, id: body.text }),
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

  it('is not spoken of where the route finds that there is nothing to send to', async () => {
    const settings = route<Caller>()({
      ...about,
      method: 'patch',
      path: '/settings/:id',
      summary: 'Change settings',
      body: z.object({ on: z.boolean() }),
      async beforeRefusing({ params }) {
        if (params.id === 'off') throw new HttpError(404, { error: 'not_found' });
      },
      handle: ({ params, context }) => answer(200, { who: context.name, id: params.id }),
    });
    const { call } = await serve([settings]);
    const patch = (id: string, body: string) =>
      call(`/api/v1/settings/${id}`, { method: 'PATCH', body, headers: { 'Content-Type': 'application/json' } });
    expect(await patch('off', '{"on":1}')).toMatchObject({ status: 404, text: '{"error":"not_found"}' });
    expect(await patch('on', '{"on":1}')).toMatchObject({ status: 422, json: { code: 'validation_failed' } });
    expect(await patch('on', '{"on":true}')).toMatchObject({ status: 200 });
  });

  it('in the path names nothing', async () => {
    const { call } = await serve([{ ...readCall, params: z.object({ id: z.string().max(3) }) }]);
    expect(await call('/api/v1/calls/four')).toMatchObject({ status: 404, text: '{"error":"not_found"}' });
    expect(await call('/api/v1/calls/one')).toMatchObject({ status: 200 });
  });

  it('in a header is named by it', async () => {
    const send = route<Caller>()({
      ...about,
      method: 'post',
      path: '/messages',
      summary: 'Send',
      headers: z.object({ 'idempotency-key': z.string().max(5) }),
      handle: ({ headers }) => answer(200, { who: headers['idempotency-key'], id: '' }),
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

describe('a handler that throws', () => {
  it('a refusal is answered by its kind and logged as nothing', async () => {
    const { call, log } = await serve([failing(() => new Refused(invalid({ phone: ['has already been taken'] })))]);
    expect(await call('/api/v1/fails')).toMatchObject({
      status: 422,
      json: { errors: { phone: ['has already been taken'] } },
    });
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('not found is byte for byte an unknown path', async () => {
    const { call } = await serve([failing(() => new Refused(notFound))]);
    const [unknownId, unknownPath] = [await call('/api/v1/fails'), await call('/api/v1/unknown')];
    const seen = ({ status, text, headers }: typeof unknownId) => {
      const { date: _d, 'x-request-id': _id, ...rest } = Object.fromEntries(headers);
      return { status, text, rest };
    };
    expect(seen(unknownId)).toEqual(seen(unknownPath));
  });

  it('anything else is one error line and an answer that tells nothing', async () => {
    const { call, log } = await serve([failing(() => new Error('mongodb://user:secret@db'))]);
    const answered = await call('/api/v1/fails', { headers: { 'x-request-id': 'r-1' } });
    expect(answered).toMatchObject({ status: 500, text: '{"error":"internal_error","request_id":"r-1"}' });
    const errors = log.lines.filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([
      { message: 'request failed', fields: { request_id: 'r-1', route: '/api/v1/fails' } },
    ]);
    expect(errors[0]?.fields.err).toHaveProperty('stack', expect.stringContaining('api.test.ts'));
  });

  it('is answered 503 when the service behind it is away', async () => {
    const { call, log } = await serve([failing(() => Object.assign(new Error('x'), { name: 'Unavailable' }))]);
    const answered = await call('/api/v1/fails', { headers: { 'x-request-id': 'r-1' } });
    expect(answered).toMatchObject({ status: 503, text: '{"error":"unavailable","request_id":"r-1"}' });
    expect(answered.headers.get('retry-after')).toBe('1');
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('or gives what cannot be JSON becomes a 500', async () => {
    const odd = { ...failing(() => 0), handle: () => answer(200, { who: 1n }) };
    const { call } = await serve([odd], { checkAnswers: false });
    expect(await call('/api/v1/fails')).toMatchObject({ status: 500, json: { error: 'internal_error' } });
  });
});

describe('checkAnswers', () => {
  const given = (body: unknown, status = 200) => ({ ...failing(() => 0), handle: () => answer(status, body) });
  it.each([
    ['a wrong type', given({ who: 1, id: 'x' }), 'expected string'],
    ['a missing field', given({ who: 'Ada' }), 'expected string'],
    ['an undeclared field', given({ who: 'Ada', id: 'x', password: 'y' }), '/password is not declared'],
    ['an undeclared status', given({ who: 'Ada', id: 'x' }, 201), 'a status it does not declare'],
    ['no body', { ...failing(() => 0), handle: () => empty(200) }, 'no body where it declares one'],
    [
      'a body for 204',
      { ...deleteCall, method: 'get' as const, path: '/fails', handle: () => answer(204, {}) },
      'declares none',
    ],
  ])('fails loudly on %s', async (_what, wrong, why) => {
    const { call, log } = await serve([wrong]);
    expect(await call('/api/v1/fails')).toMatchObject({ status: 500 });
    expect(String(log.lines.find(({ level }) => level === 'error')?.fields.err)).toContain(why);
  });

  it('lets a right answer pass, and costs nothing when it is off', async () => {
    expect(await (await serve([given({ who: 'Ada', id: 'x', more: undefined })])).call('/api/v1/fails')).toMatchObject({
      status: 200,
    });
    const unchecked = await serve([given({ surprising: true })], { checkAnswers: false });
    expect(await unchecked.call('/api/v1/fails')).toMatchObject({ status: 200, json: { surprising: true } });
  });
});

describe('the general limit', () => {
  it('is counted per credential, said in headers and answered 429', async () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 2, clock: { now: () => new Date(0) } });
    const { call } = await serve(CALLS, { limit: { limiter, keyOf: (caller) => caller.name } });
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

describe('a client that goes away', () => {
  it('aborts the signal, ends as 499 and is no error', async () => {
    let aborted = false;
    const ends: RequestEnd[] = [];
    const slow = route<Caller>()({
      ...about,
      method: 'get',
      path: '/slow',
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
    const around = async (_start: RequestStart, next: () => Promise<RequestEnd>) => {
      const end = await next();
      ends.push(end);
      return end;
    };
    const { port, log, call } = await serve([slow, readCall], { around });
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /api/v1/slow HTTP/1.1\r\nHost: x\r\nX-Api-Key: pk_ada\r\n\r\n');
    await until(() => ends.length > 0);
    expect([aborted, ends[0]?.status]).toEqual([true, 499]);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    expect(await call('/api/v1/calls/c')).toMatchObject({ status: 200 });
  });
});
