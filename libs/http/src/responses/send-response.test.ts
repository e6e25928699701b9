import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Refused, notFound } from '@parley/errors';
import { z } from 'zod';
import { type EndpointResponse, content, html, redirect, stream, streamArray } from './response.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { serveApi, until } from '../../test/test-server.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(
  handle: () => EndpointResponse,
  answers: Endpoint<undefined>['responses'] = { 200: z.array(z.number()) },
) {
  const route: Endpoint<undefined> = {
    role: 'none',
    method: 'get',
    path: '/',
    tag: 'T',
    summary: 'Read',
    responses: answers,
    handle,
  };
  const served = await serveApi({ prefix: '', endpoints: [route] });
  closers.push(served.close);
  return served;
}

async function* numbers(count: number, seen?: { given: number; returned: boolean }) {
  try {
    for (let i = 0; i < count; i++) {
      if (seen) seen.given = i;
      yield [i];
    }
  } finally {
    if (seen) seen.returned = true;
  }
}

describe('streamArray', () => {
  it.each([0, 1, 3])('streamArray of %i items is plain JSON with its length', async (count) => {
    const { url } = await serve(() => streamArray(numbers(count), (n) => n));
    const response = await fetch(url);
    expect(response.headers.get('content-length')).not.toBeNull();
    expect(await response.json()).toEqual(Array.from({ length: count }, (_, i) => i));
  });

  it('streamArray wraps the array and takes plain iterables', async () => {
    const answers = { 200: z.object({ employees: z.array(z.object({ n: z.number() })) }) };
    const { url } = await serve(
      () => streamArray([[1], [2]], (n) => ({ n }), { before: '{"employees":', after: '}' }),
      answers,
    );
    expect(await (await fetch(url)).json()).toEqual({ employees: [{ n: 1 }, { n: 2 }] });
  });

  it('streamArray of many items is complete, in chunks', async () => {
    const { url } = await serve(() => streamArray(numbers(200_000), (n) => n));
    const response = await fetch(url);
    expect(response.headers.get('transfer-encoding')).toBe('chunked');
    expect(((await response.json()) as number[]).length).toBe(200_000);
  });

  it('streamArray is not sent faster than the client reads, and stops when the client disconnects', async () => {
    const seen = { given: 0, returned: false };
    const endless = () => streamArray(numbers(Number.MAX_SAFE_INTEGER, seen), () => 'x'.repeat(10_000));
    const { port, log } = await serve(endless, { 200: 'application/json' });
    const socket = connect(port, '127.0.0.1').pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    let last = -1;
    await until(() => {
      const stopped = seen.given > 0 && seen.given === last;
      last = seen.given;
      return stopped;
    });
    expect(seen.given).toBeLessThan(10_000);
    socket.destroy();
    await until(() => seen.returned);
    expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('streamArray that fails before its first chunk has a status of its own', async () => {
    const refused = (): never => {
      throw new Refused(notFound);
    };
    const { url } = await serve(() => streamArray(numbers(3), refused));
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([404, '{"error":"not_found"}']);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('streamArray that fails half-way closes the connection, so that it cannot be mistaken for complete', async () => {
    const broken = async function* () {
      yield* numbers(100_000);
      throw new Error('the cursor was closed');
    };
    const { url, log } = await serve(() => streamArray(broken(), (n) => n));
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    expect(log.lines.filter(({ level }) => level === 'error')).toMatchObject([{ message: 'request failed' }]);
  });

  it('streamArray of items that are not as declared never ends well', async () => {
    const { url, log } = await serve(() => streamArray(numbers(100_000), (n) => (n === 99_999 ? 'wrong' : n)));
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    expect(String(log.lines[0]?.fields.err)).toContain('expected number');
  });

  it('streamArray is not consumed for HEAD', async () => {
    const seen = { given: -1, returned: false };
    const { url } = await serve(() => streamArray(numbers(10, seen), (n) => n));
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type'), seen.given]).toEqual([
      200,
      'application/json; charset=utf-8',
      -1,
    ]);
  });
});

describe('other answers', () => {
  it('an answer may be a page', async () => {
    const { url } = await serve(() => html(200, '<p>ø</p>'), { 200: 'text/html' });
    const response = await fetch(url);
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'text/html; charset=utf-8',
      '<p>ø</p>',
    ]);
  });

  it('an answer may be bytes', async () => {
    const { url } = await serve(() => content(200, 'audio/wav', new Uint8Array([0, 255])), { 200: 'audio/wav' });
    const response = await fetch(url);
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255]);
    expect(response.headers.get('content-length')).toBe('2');
  });

  it('an answer may be a stream of any type', async () => {
    const { url } = await serve(() => stream(200, 'text/csv', ['a,b\n', 'c,d\n']), { 200: 'text/csv' });
    expect(await (await fetch(url)).text()).toBe('a,b\nc,d\n');
  });

  it('an answer may be a redirect', async () => {
    const { url } = await serve(() => redirect(303, '/elsewhere'), { 303: null });
    const response = await fetch(url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location'), response.headers.get('content-length')]).toEqual([
      303,
      '/elsewhere',
      '0',
    ]);
  });
});
