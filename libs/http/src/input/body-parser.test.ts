import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { json } from '../responses/response.ts';
import { BODY_BYTES_MAX } from './body-parser.ts';
import { endpoint } from '../endpoints/endpoint.ts';
import { sendRaw, serveApi, until } from '../../test/test-server.ts';

const echo = endpoint()({
  role: 'none',
  route: 'POST /echo',
  tag: 'Test',
  summary: 'Echo a name',
  body: z.object({ name: z.string().optional(), any: z.unknown().optional() }),
  responses: { 200: z.object({ name: z.string().optional(), form: z.string().nullable() }) },
  handle: ({ body, form }) => json(200, { name: body.name, form: form?.toString() ?? null }),
});

const bare = endpoint()({
  role: 'none',
  route: 'POST /bare',
  tag: 'Test',
  summary: 'Take no body',
  responses: { 200: z.object({ body: z.null() }) },
  handle: ({ body }) => json(200, { body: body ?? null }),
});

const raw = endpoint()({
  role: 'none',
  route: 'POST /raw',
  tag: 'Test',
  summary: 'Take bytes',
  body: 'bytes',
  bodyBytesMax: 8,
  responses: { 200: z.object({ hex: z.string() }) },
  handle: ({ body }) => json(200, { hex: body.toString('hex') }),
});

const look = endpoint()({
  role: 'none',
  route: 'GET /look',
  tag: 'Test',
  summary: 'Look',
  responses: { 200: z.object({ ok: z.boolean() }) },
  handle: () => json(200, { ok: true }),
});

let served: Awaited<ReturnType<typeof serveApi>>;
beforeAll(async () => {
  served = await serveApi({ prefix: '', endpoints: [echo, bare, raw, look] });
});
afterAll(() => served.close());

async function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  type?: string,
  headers: Record<string, string> = {},
) {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const init = { method: 'POST', body: bytes, headers: { ...(type && { 'content-type': type }), ...headers } };
  const response = await fetch(served.url + path, init);
  return { status: response.status, headers: response.headers, json: await response.json() };
}

const JSON_BODY = '{"name":"Ada"}';

describe('a body', () => {
  it.each([
    [JSON_BODY, 'application/json', { name: 'Ada', form: null }],
    [JSON_BODY, 'application/json; charset=utf-8', { name: 'Ada', form: null }],
    [JSON_BODY, 'Application/JSON;Charset="UTF-8"', { name: 'Ada', form: null }],
    [JSON_BODY, 'application/vnd.api+json', { name: 'Ada', form: null }],
    ['\ufeff{"name":"Ada"}', 'application/json', { name: 'Ada', form: null }],
    ['name=Ada+L&x=1', 'application/x-www-form-urlencoded', { name: 'Ada L', form: 'name=Ada+L&x=1' }],
    ['a[b]=c&x=1&x=2', 'application/x-www-form-urlencoded; charset=UTF-8', { form: 'a%5Bb%5D=c&x=1&x=2' }],
    ['', 'application/json', { form: null }],
    ['', 'text/plain', { form: null }],
    ['', undefined, { form: null }],
  ])('a body of %j as %s is taken', async (body, type, json) => {
    expect(await post('/echo', body, type)).toMatchObject({ status: 200, json });
  });

  it.each([
    ['{"name":', 'application/json', 400, 'invalid_json'],
    ['{"name":"Ada"} x', 'application/json', 400, 'invalid_json'],
    ["{'name':'Ada'}", 'application/json', 400, 'invalid_json'],
    [' ', 'application/json', 400, 'invalid_json'],
    [new Uint8Array([0x22, 0xff, 0xfe, 0x22]), 'application/json', 400, 'invalid_json'],
    [new Uint8Array([0x61, 0x3d, 0xff]), 'application/x-www-form-urlencoded', 400, 'invalid_request'],
    ['[[[[[[', 'application/json', 400, 'invalid_json'],
    ['['.repeat(500_000), 'application/json', 400, 'invalid_json'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'application/json', 400, 'invalid_json'],
    [`{"any":${'['.repeat(400_000)}${']'.repeat(400_000)}}`, 'application/json', 400, 'invalid_json'],
    [JSON_BODY, 'text/plain', 415, 'unsupported_media_type'],
    [JSON_BODY, undefined, 415, 'unsupported_media_type'],
    [JSON_BODY, 'application/json; charset=utf-16', 415, 'unsupported_media_type'],
    [JSON_BODY, 'application/jsonp', 415, 'unsupported_media_type'],
    [JSON_BODY, 'multipart/form-data; boundary=x', 415, 'unsupported_media_type'],
    ['<a/>', 'application/xml', 415, 'unsupported_media_type'],
  ])('a body of %.40s as %s is refused with %i %s', async (body, type, status, code) => {
    for (const path of ['/echo', '/bare']) {
      const answered = await post(path, body, type);
      expect(answered).toMatchObject({ status, json: { error: code, code } });
      expect(answered.headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  it.each(['[]', '"text"', '1', 'null'])('a body of %s where an object belongs is 422', async (body) => {
    expect(await post('/echo', body, 'application/json')).toMatchObject({
      status: 422,
      json: { error: 'body must be an object', code: 'validation_failed', errors: { body: ['must be an object'] } },
    });
  });

  it.each([
    ['name=a&name=b', { name: ['must be given only once'] }],
    ['name[first]=a', { name: ['must be a single value'] }],
    ['name=%00', { name: ['contains an invalid character'] }],
  ])('a body of the form %s is 422 by its field', async (body, errors) => {
    const answered = await post('/echo', body, 'application/x-www-form-urlencoded');
    expect(answered).toMatchObject({ status: 422, json: { errors } });
  });

  it('a body that is nested 32 levels deep is taken', async () => {
    const body = `{"any":${'['.repeat(31)}${']'.repeat(31)}}`;
    expect(await post('/echo', body, 'application/json')).toMatchObject({ status: 200 });
  });

  it('a body that is compressed is refused instead of inflated', async () => {
    const answered = await post('/echo', JSON_BODY, 'application/json', { 'content-encoding': 'gzip' });
    expect(answered).toMatchObject({ status: 415 });
  });

  it('a body is optional where none is declared', async () => {
    expect(await post('/bare', undefined)).toMatchObject({ status: 200, json: { body: null } });
    expect(await post('/bare', '{"x":1}', 'application/json')).toMatchObject({ status: 200, json: { body: null } });
  });

  it('a body of bytes is passed unchanged, of any type, up to its own limit', async () => {
    const bytes = new Uint8Array([0, 255, 1]);
    expect(await post('/raw', bytes, 'image/png')).toMatchObject({ status: 200, json: { hex: '00ff01' } });
    expect(await post('/raw', undefined)).toMatchObject({ status: 200, json: { hex: '' } });
    expect(await post('/raw', '123456789')).toMatchObject({ status: 413 });
  });

  it('a body with GET is ignored and leaves the connection in order', async () => {
    const request = `GET /look HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{"a":`;
    const received = await sendRaw(served.port, request, 'GET /look HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });
});

describe('a body over 1 MiB', () => {
  const exact = `{"name":"${'x'.repeat(BODY_BYTES_MAX - 11)}"}`;

  it('a body over 1 MiB begins one byte past the limit', async () => {
    expect(await post('/echo', exact, 'application/json')).toMatchObject({ status: 200 });
    expect(await post('/echo', `${exact} `, 'application/json')).toMatchObject({
      status: 413,
      json: { error: 'payload_too_large', code: 'payload_too_large' },
    });
  });

  it('a body over 1 MiB is refused by its Content-Length before it is sent', async () => {
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Request-Id: mine\r\n';
    const received = await sendRaw(served.port, `${head}Content-Length: 99999999999\r\n\r\n{`);
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toMatch(/\r\nX-Request-Id: mine\r\n/);
    expect(received).toMatch(/\r\nConnection: close\r\n/);
  });

  it('a body over 1 MiB is refused when it comes in chunks, and the client gets to read it', async () => {
    const body = new ReadableStream({
      start(controller) {
        for (let i = 0; i < 80; i++) controller.enqueue(new Uint8Array(100_000).fill(32));
        controller.close();
      },
    });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' }, duplex: 'half' };
    const response = await fetch(`${served.url}/echo`, init as RequestInit);
    expect([response.status, await response.json()]).toMatchObject([413, { error: 'payload_too_large' }]);
  });

  it('a body over 1 MiB that is longer than its Content-Length is refused with an error body and ends the connection', async () => {
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
    const received = await sendRaw(served.port, `${head}{}`, 'x'.repeat(2_000));
    expect(received).toMatch(/HTTP\/1\.1 400 Bad Request\r\nX-Request-Id: req_[^]*\r\n\r\n\{"error":"bad_request"\}$/);
  });

  it('a body over 1 MiB that is shorter than its Content-Length gets no response and logs no error', async () => {
    const socket = connect(served.port, '127.0.0.1');
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
    await new Promise((resolve) => socket.write(head, resolve));
    socket.destroy();
    await until(() => served.log.lines.some((line) => line.message === 'client closed the connection'));
    expect(served.log.lines.filter((line) => line.level === 'error')).toEqual([]);
  });
});
