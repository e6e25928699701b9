import { afterEach, describe, expect, it } from '@jest/globals';
import type { Role } from '@parley/actor';
import { z } from 'zod';
import { createApi } from './api.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { runEndpoint } from './endpoint-input.ts';
import { empty } from '../responses/response.ts';
import { serveApi } from '../../test/test-server.ts';

interface Caller {
  readonly id: string;
  readonly role: Role;
}

const handled: string[] = [];
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  handled.length = 0;
  for (const close of closers.splice(0)) await close();
});

const changeEmployee = endpoint<Caller>()({
  role: 'member',
  permits: (caller, { id }) => caller.role !== 'member' || id === caller.id,
  permitsFields: (caller, _params, fields) => caller.role === 'owner' || !('role' in fields),
  route: 'PATCH /employees/:id',
  tag: 'T',
  summary: 'Change',
  body: z.object({ name: z.string() }),
  responses: { 204: null },
  handle({ params }) {
    handled.push(params.id);
    return empty(204);
  },
});
const deleteEmployee = endpoint<Caller>()({
  role: 'admin',
  route: 'DELETE /employees/:id',
  tag: 'T',
  summary: 'Delete',
  responses: { 204: null },
  handle: () => empty(204),
});

async function serve() {
  const served = await serveApi<Caller>({
    prefix: '',
    endpoints: [changeEmployee, deleteEmployee],
    authenticate: ({ headers }) => ({ id: 'own', role: String(headers['x-role']) as Role }),
  });
  closers.push(served.close);
  return async (role: string, method: string, id: string, body?: string, contentType = 'application/json') => {
    const headers = { 'X-Role': role, ...(body !== undefined && { 'Content-Type': contentType }) };
    const response = await fetch(`${served.url}/employees/${id}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return [response.status, text === '' ? undefined : JSON.parse(text)];
  };
}

const FORBIDDEN = [403, { error: 'forbidden', code: 'forbidden' }];

describe('an endpoint', () => {
  it('an endpoint is for its role and higher ones; what is not a role is refused', async () => {
    const request = await serve();
    expect(await request('member', 'DELETE', 'x')).toEqual(FORBIDDEN);
    expect(await request('root', 'DELETE', 'x')).toEqual(FORBIDDEN);
    for (const role of ['admin', 'owner']) expect((await request(role, 'DELETE', 'x'))[0]).toBe(204);
  });

  it('an endpoint decides by the path before the body is read', async () => {
    const request = await serve();
    for (const body of ['{"name": 1}', '{', '{"name": "A"}'])
      expect(await request('member', 'PATCH', 'other', body)).toEqual(FORBIDDEN);
    expect((await request('member', 'PATCH', 'own', '{'))[0]).toBe(400);
    expect((await request('member', 'PATCH', 'own', '{"name": "A"}'))[0]).toBe(204);
    expect(handled).toEqual(['own']);
  });

  it('an endpoint decides by the fields before they are validated', async () => {
    const request = await serve();
    for (const body of ['{"role": 1}', '{"name": "A", "role": null}'])
      expect(await request('admin', 'PATCH', 'other', body)).toEqual(FORBIDDEN);
    for (const form of ['role=x', 'role=x&role=y', 'name=A&role='])
      expect(await request('admin', 'PATCH', 'other', form, 'application/x-www-form-urlencoded')).toEqual(FORBIDDEN);
    expect((await request('admin', 'PATCH', 'other', '[]'))[0]).toBe(422);
    expect((await request('owner', 'PATCH', 'other', '{"name": "A", "role": "x"}'))[0]).toBe(204);
  });

  it('an endpoint decides the same when it does not come as a request', async () => {
    const run = (role: Role, id: string, body: unknown = { name: 'A' }) =>
      runEndpoint(changeEmployee, {
        params: { id },
        query: new URLSearchParams(),
        body,
        context: { id: 'own', role },
        requestId: 'r',
        signal: new AbortController().signal,
      });
    await expect(run('member', 'other')).rejects.toMatchObject({ response: { status: 403 } });
    await expect(run('admin', 'other', { role: 'x' })).rejects.toMatchObject({ response: { status: 403 } });
    expect(await run('member', 'own')).toMatchObject({ status: 204 });
  });

  it('an endpoint that does not name its role does not start', () => {
    const { role: _, ...undeclared } = deleteEmployee;
    const endpoints = [undeclared as Endpoint<Caller>];
    const start = () => createApi<Caller>({ prefix: '', endpoints, authenticate: () => ({ id: '', role: 'owner' }) });
    expect(start).toThrow('does not declare the role');
  });
});
