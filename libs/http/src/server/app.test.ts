import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Router } from 'express';
import { z } from 'zod';
import { json } from '../responses/response.ts';
import { type Api, createApi } from '../endpoints/api.ts';
import { createApp } from './app.ts';
import { endpoint } from '../endpoints/endpoint.ts';
import { serveHandler, testLog } from '../../test/test-server.ts';

const log = testLog();

function api(prefix: string, path: string): Api {
  const read = endpoint()({
    role: 'none',
    route: `GET ${path}`,
    tag: 'Test',
    summary: 'Read',
    query: z.object({ q: z.string().optional() }),
    responses: { 200: z.object({ from: z.string(), q: z.string().optional() }) },
    handle: ({ query }) => json(200, { from: prefix + path, q: query.q }),
  });
  return createApi({ prefix, endpoints: [read] });
}

const pages = Router()
  .get('/page', (_request, response) => void response.type('html').send('<p>page</p>'))
  .get('/broken', () => {
    throw new Error('secret');
  })
  .get('/people/:id', (request, response) => void response.send(request.params.id));

let url: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const apis = [api('/api/v1', '/contacts'), api('', '/healthz')];
  ({ url, close } = await serveHandler(createApp({ apis, routers: [pages], log })));
});
afterAll(() => close());

async function get(path: string) {
  const response = await fetch(url + path, { headers: { 'x-request-id': 'mine' } });
  expect(response.headers.get('x-request-id')).toBe('mine');
  expect(response.headers.has('x-powered-by') || response.headers.has('etag')).toBe(false);
  return [response.status, await response.text()];
}

describe('an app', () => {
  it.each([
    ['/api/v1/contacts?q=a', 200, '{"from":"/api/v1/contacts","q":"a"}'],
    ['/healthz', 200, '{"from":"/healthz"}'],
    ['/page', 200, '<p>page</p>'],
    ['/people/%2B45', 200, '+45'],
    ['/api/v1/unknown', 404, '{"error":"not_found"}'],
    ['/unknown', 404, '{"error":"not_found"}'],
    ['/people/%FF', 404, '{"error":"not_found"}'],
    ['/broken', 500, '{"error":"internal_error","request_id":"mine"}'],
  ])('an app answers %s with %i', async (path, status, text) => {
    expect(await get(path)).toEqual([status, text]);
  });

  it('an app logs what a page throws, once', async () => {
    log.lines.length = 0;
    await get('/broken');
    expect(log.lines).toMatchObject([{ level: 'error', message: 'request failed', fields: { request_id: 'mine' } }]);
  });
});
