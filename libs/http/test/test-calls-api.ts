import { afterEach } from '@jest/globals';
import { z } from 'zod';
import { json, empty } from '../src/responses/response.ts';
import { unauthorized } from '../src/responses/error-responses.ts';
import { type Endpoint, endpoint } from '../src/endpoints/endpoint.ts';
import { serveApi } from './test-server.ts';

export interface Principal {
  readonly name: string;
}

const named = z.object({ who: z.string(), id: z.string() });
/** The common declarations of most routes here. */
export const about = { tag: 'Calls', responses: { 200: named } } as const;

export const readCall = endpoint<Principal>()({
  role: 'none',
  ...about,
  route: 'GET /calls/:id',
  summary: 'Read a call',
  handle: ({ params, context }) => json(200, { who: context.name, id: params.id }),
});
const activeCall = endpoint<Principal>()({
  role: 'none',
  ...about,
  route: 'GET /calls/active',
  summary: 'Read the active call',
  handle: ({ context }) => json(200, { who: context.name, id: 'active' }),
});
export const deleteCall = endpoint<Principal>()({
  role: 'none',
  route: 'DELETE /calls/:id',
  tag: 'Calls',
  summary: 'Delete a call',
  responses: { 204: null },
  handle: () => empty(204),
});
const listCalls = endpoint<Principal>()({
  role: 'none',
  route: 'GET /calls',
  tag: 'Calls',
  summary: 'List calls',
  query: z.object({
    direction: z.enum(['inbound', 'outbound']).optional(),
    limit: z.coerce.number().int().default(10),
  }),
  responses: { 200: z.object({ direction: z.string().nullable(), limit: z.int() }) },
  handle: ({ query }) => json(200, { direction: query.direction ?? null, limit: query.limit }),
});

export const CALLS = [readCall, activeCall, deleteCall, listCalls];

/** A route whose handler throws. */
export function failing(error: () => unknown): Endpoint<Principal> {
  return endpoint<Principal>()({
    role: 'none',
    ...about,
    route: 'GET /fails',
    summary: 'Fail',
    handle: () => {
      throw error();
    },
  });
}

function authenticate({ headers }: { headers: Record<string, unknown> }): Principal {
  if (headers['x-api-key'] === 'pk_ada') return { name: 'Ada' };
  throw unauthorized(headers['x-api-key'] === undefined ? 'Missing credentials' : 'Invalid API key');
}

/** Called once in a test file; the result serves routes to Ada until the end of the test. */
export function servingInTests(): typeof serve {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  return async (routes, more) => {
    const served = await serve(routes, more);
    closers.push(served.close);
    return served;
  };
}

async function serve(routes: Endpoint<Principal>[], more: Partial<Parameters<typeof serveApi<Principal>>[0]> = {}) {
  const served = await serveApi<Principal>({ prefix: '/api/v1', endpoints: routes, authenticate, ...more });
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
