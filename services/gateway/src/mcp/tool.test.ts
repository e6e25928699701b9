import { describe, expect, it } from '@jest/globals';
import { invalid, Refused } from '@parley/errors';
import { empty, endpoint, type EndpointTool, json, streamArray } from '@parley/http';
import { z } from 'zod';
import { toolsOf } from './tool.ts';

type Who = { readonly employeeId: string };

const toolContext = { context: { employeeId: 'emp_1' }, requestId: 'req_1', signal: new AbortController().signal };
const about = {
  title: 'T',
  description: 'D',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};
const common = { tag: 'T', summary: 'S' } as const;

/** A tool that answers with what its endpoint was given. */
function echoing(tool: Partial<EndpointTool<Who>>) {
  const echo = endpoint<Who>()({
    role: 'none',
    ...common,
    route: 'PUT /things/:id',
    query: z.object({ phone_number: z.string().optional(), open: z.enum(['true', 'false']).optional() }),
    body: z.object({ text: z.string(), kind: z.string().optional() }),
    responses: { 200: z.object({ params: z.unknown(), query: z.unknown(), body: z.unknown() }) },
    tools: { echo: { ...about, ...tool } },
    handle({ params, query, body }) {
      if (query.phone_number === 'wrong') throw new Refused(invalid({ 'phone_number[0]': ['is wrong'] }));
      return json(200, { params, query, body });
    },
  });
  return toolsOf([echo]).get('echo')!;
}

function listing(count: number, size = 1) {
  const items = Array.from({ length: count }, (_, index) => ({ id: `thing_${index}`, text: 'x'.repeat(size) }));
  const list = endpoint<Who>()({
    role: 'none',
    ...common,
    route: 'GET /things',
    responses: { 200: z.array(z.object({ id: z.string(), text: z.string() })) },
    tools: { list: { ...about, list: 'things' } },
    handle: () => streamArray([items], (item) => item),
  });
  return { tool: toolsOf([list]).get('list')!, items };
}

describe('arguments', () => {
  it('arguments become path, query and body by the names of the endpoint', async () => {
    const tool = echoing({
      rename: { id: 'thing_id', phone_number: 'phone' },
      describe: { open: z.boolean().optional() },
      fixed: { kind: 'k' },
    });
    expect(Object.keys(tool.definition.inputSchema.properties ?? {})).toEqual(['thing_id', 'phone', 'open', 'text']);
    expect(tool.definition.inputSchema.required).toEqual(['thing_id', 'text']);
    const outcome = await tool.call({ thing_id: 'a', phone: '+45', open: true, text: 'x', other: 1 }, toolContext);
    expect(outcome).toMatchObject({
      ok: true,
      result: { params: { id: 'a' }, query: { phone_number: '+45', open: 'true' }, body: { text: 'x', kind: 'k' } },
    });
  });

  it('arguments may default to the employee of the request', async () => {
    const tool = echoing({ defaults: { id: ({ employeeId }) => employeeId } });
    expect(await tool.call({ text: 'x' }, toolContext)).toMatchObject({ result: { params: { id: 'emp_1' } } });
    expect(tool.definition.inputSchema.required).toEqual(['text']);
  });

  it('arguments that are wrong are named as the tool calls them', async () => {
    const tool = echoing({ rename: { phone_number: 'phone' } });
    const refused = async (args: object) => JSON.parse((await tool.call({ ...args }, toolContext)).text) as unknown;
    expect(await refused({ id: 'a', text: 'x', phone: 'wrong' })).toMatchObject({
      errors: { 'phone[0]': ['is wrong'] },
    });
    expect(await refused({ id: 'a', text: 'x', phone: {} })).toMatchObject({ errors: { phone: ['must be a string'] } });
    expect(await refused({ text: 'x' })).toMatchObject({ errors: { id: ['is required'] } });
    expect(await refused({ id: 'a', text: 7 })).toMatchObject({ errors: { text: ['must be a string'] } });
    expect(await refused({ id: 'a\0', text: 'x' })).toEqual({ error: 'not_found' });
  });
});

describe('a list', () => {
  it('a list is paged to its end without gaps', async () => {
    const { tool, items } = listing(7);
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const outcome = await tool.call({ limit: 3, ...(cursor && { cursor }) }, toolContext);
      const { things, next_cursor: next } = (outcome as any).result;
      seen.push(...things);
      cursor = next;
    } while (cursor !== undefined);
    expect(seen).toEqual(items);
  });

  it('a list stays below 50 kB, text included', async () => {
    const { tool } = listing(50, 5_000);
    const outcome: any = await tool.call({}, toolContext);
    expect(Buffer.byteLength(JSON.stringify(outcome))).toBeLessThan(50_000);
    expect(outcome.result.next_cursor).toEqual(expect.any(String));
  });

  it.each([0, 51, 1.5, '1', null])('a list refuses the limit %j', async (limit) => {
    expect((await listing(1).tool.call({ limit }, toolContext)).ok).toBe(false);
  });
});

it('a single answer stays below 50 kB, with shorter lists and texts', async () => {
  const employees = Array.from({ length: 1000 }, (_, index) => ({ id: `emp_${index}`, name: 'Ærlig 😀'.repeat(10) }));
  const long = endpoint<Who>()({
    role: 'none',
    ...common,
    route: 'GET /long',
    responses: { 200: z.object({ id: z.string(), note: z.string(), employees: z.array(z.unknown()) }) },
    tools: { long: about },
    handle: () => json(200, { id: 'thing_1', note: '😀'.repeat(20_000), employees }),
  });
  const outcome: any = await toolsOf([long]).get('long')?.call({}, toolContext);
  expect(Buffer.byteLength(JSON.stringify(outcome))).toBeLessThan(50_000);
  expect(outcome.result.id).toBe('thing_1');
  expect(outcome.result.employees).toEqual(employees.slice(0, outcome.result.employees.length));
  expect(outcome.result.employees.length).toBeGreaterThan(50);
  expect(outcome.result.note.isWellFormed()).toBe(true);
});

it('a tool is named like its endpoint, and says what it changes unless its endpoint is a GET', () => {
  const declaration = { ...common, responses: { 204: null }, tools: { it: { description: 'D' } } } as const;
  const read = endpoint<Who>('none')({ ...declaration, route: 'GET /things', handle: () => empty(204) });
  const change = endpoint<Who>('none')({ ...declaration, route: 'PUT /things', handle: () => empty(204) });
  expect(toolsOf([read]).get('it')?.definition).toMatchObject({ title: 'S', annotations: { readOnlyHint: true } });
  expect(() => toolsOf([change])).toThrow('it does not say what it changes');
});

it('a response without a body has its own text', async () => {
  const nothing = endpoint<Who>()({
    role: 'none',
    ...common,
    route: 'GET /now',
    responses: { 200: z.object({ call: z.object({ id: z.string() }) }), 204: null },
    tools: { now: { ...about, whenEmpty: { call: null } }, bare: about },
    handle: () => empty(204),
  });
  const tools = toolsOf([nothing]);
  expect(await tools.get('now')?.call({}, toolContext)).toMatchObject({ result: { call: null } });
  expect(await tools.get('bare')?.call({}, toolContext)).toMatchObject({ result: {} });
});
