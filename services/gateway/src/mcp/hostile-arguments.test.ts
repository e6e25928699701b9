import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { notFound, Refused } from '@parley/errors';
import { createApp, type Listening, listenHttp } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { startTelemetry, type Telemetry } from '@parley/telemetry';
import type { Clients } from '../peers/peers.ts';
import { publicEndpoints } from '../routes/public-api.ts';
import { mcpApi } from './index.ts';
import { toolsOf } from './tool.ts';

const OWNER = { companyId: 'com_1', employeeId: 'emp_1', credentialId: 'key_1', role: 'owner' } as EmployeePrincipal;

/** Services that find nothing: what reaches them has passed the gateway's checks. */
const clients = new Proxy({}, { get: () => new Proxy({}, { get: () => findNothing }) }) as Clients;
function findNothing() {
  const refused = Promise.reject(new Refused(notFound));
  refused.catch(() => undefined);
  return Object.assign(refused, {
    // eslint-disable-next-line require-yield
    async *[Symbol.asyncIterator]() {
      throw new Refused(notFound);
    },
  });
}

const endpoints = publicEndpoints(clients, () => {}, 'http://parley.test');
const tools = [...toolsOf(endpoints).values()].map(({ definition }) => definition);

/** As deep as the body of a request may be, and as text: this process could not write it either. */
const NESTED = `${'['.repeat(19_000)}${']'.repeat(19_000)}`;
const HOSTILE: readonly (readonly [string, unknown])[] = [
  ['an object with a toString that is no function', { toString: 'x', valueOf: 1 }],
  [
    'an object with a prototype of its own',
    JSON.parse('{"__proto__": {"length": 1}, "constructor": {"prototype": 1}}'),
  ],
  ['an object with a toJSON that is no function', JSON.parse('{"toJSON": 1, "then": 1, "length": -1}')],
  ['an array of objects', [{ toString: 'x' }, null, [[]]]],
  ['null', null],
  ['true', true],
  ['a huge number', 1e308],
  ['a negative fraction', -0.5],
  ['a text with half a surrogate pair and NUL', 'a\ud800\u0000'],
  ['a long text', 'x'.repeat(5000)],
  ['nested arrays', JSON.parse(NESTED.slice(19_000 - 300, 19_000 + 300))],
  ['the name of a property of objects', '__proto__'],
];

let http: Listening;
let telemetry: Telemetry;
const defects: string[] = [];
beforeAll(async () => {
  const logDestination = { write: (line: string) => void defects.push(line) };
  telemetry = startTelemetry({ service: 'gateway', version: '0', logLevel: 'error', logDestination });
  const api = mcpApi({
    clients: { messages: { checkTexting: async () => ({}) } } as unknown as Clients,
    endpoints,
    authenticate: async () => OWNER,
    limit: undefined,
    publicUrl: 'http://parley.test',
    publicHosts: [],
    baseUrl: () => 'http://parley.test',
    telemetry,
    every: { observe: () => (_request, _response, next) => next(), checkResponses: false },
  });
  http = await listenHttp(createApp({ apis: [api], log: telemetry.log }), '127.0.0.1:0');
});
afterAll(async () => {
  await http?.close(0);
  await telemetry?.stop();
});

async function post(body: unknown, headers: Record<string, string> = {}): Promise<any> {
  return postText(JSON.stringify(body), headers);
}

async function postText(body: string, headers: Record<string, string> = {}): Promise<any> {
  const response = await fetch(`http://${http.address}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  return response.json();
}

/** A plausible value, so that what is tried is the only thing that is wrong. */
function plausible(schema: any): unknown {
  const [type] = [schema?.type].flat();
  if (schema?.enum) return schema.enum[0];
  if (schema?.anyOf) return plausible(schema.anyOf[0]);
  return { string: '+4520304050', integer: 1, number: 1, boolean: true, array: [], object: {} }[type as string];
}

/** A call by a client that can ask the person. */
function asking(name: string, args: object) {
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
    [CLIENT_INFO_META_KEY]: { name: 'x', version: '1' },
    [CLIENT_CAPABILITIES_META_KEY]: { elicitation: { form: {} } },
  };
  return {
    message: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } },
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
  };
}

type Case = { readonly name: string; readonly arguments: Record<string, unknown> };
function casesWith(value: unknown): Case[] {
  return tools.flatMap(({ name, inputSchema }) => {
    const properties = Object.entries(inputSchema.properties ?? {});
    const whole = Object.fromEntries(properties.map(([key, schema]) => [key, plausible(schema)]));
    const required = Object.fromEntries((inputSchema.required ?? []).map((key) => [key, whole[key]]));
    return properties.flatMap(([key]) => [
      { name, arguments: { ...whole, [key]: value } },
      { name, arguments: { ...required, [key]: value } },
    ]);
  });
}

describe.each(HOSTILE)('%s', (_what, value) => {
  it('a hostile value as any argument of any tool gets a result, never an internal error', async () => {
    defects.length = 0;
    const cases = casesWith(value);
    expect(cases.length).toBeGreaterThan(100);
    const wrong: unknown[] = [];
    for (let from = 0; from < cases.length; from += 50) {
      const batch = cases.slice(from, from + 50);
      const messages = batch.map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
      for (const { id, error, result } of await post(messages)) {
        const isInternal = error ? error.code !== -32602 : result.isError && /internal/.test(result.content[0].text);
        if (isInternal) wrong.push([batch[id]?.name, Object.keys(batch[id]?.arguments ?? {}), error ?? result]);
      }
    }
    expect(wrong).toEqual([]);
    expect(defects).toEqual([]);
  });

  it('a hostile value gets no question to the person either', async () => {
    for (const [name, key] of [
      ['start_transfer', 'phone_number'],
      ['call_out', 'to'],
      ['supervise_call', 'mode'],
    ] as const) {
      const { message, headers } = asking(name, { call_id: 'cal_1', id: 'cal_1', [key]: value });
      const { error, result } = await post(message, headers);
      expect([name, error, typeof value === 'string' || result?.isError]).toEqual([name, undefined, true]);
    }
  });
});

describe('arguments that are nested as deeply as a request may be', () => {
  const withNested = (message: object) => JSON.stringify(message).replace('"NESTED"', NESTED);

  it('arguments that are nested as deeply as a request may be get a result from every tool', async () => {
    for (const { name, arguments: args } of casesWith('NESTED')) {
      const params = { name, arguments: args };
      const { error, result } = await postText(withNested({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
      expect([name, args, error]).toEqual([name, args, undefined]);
      expect(result.content[0].text).not.toMatch(/internal/);
    }
  });

  it('arguments that are nested as deeply as a request may be are refused where a person would be asked, because an answer counts for certain arguments only', async () => {
    const { message, headers } = asking('call_out', {
      to: '+4520304050',
      business_number_id: 'num_1',
      other: 'NESTED',
    });
    const { error, result } = await postText(withNested(message), headers);
    expect([error, result?.isError]).toEqual([undefined, true]);
    const shallow = asking('call_out', { to: '+4520304050', business_number_id: 'num_1' });
    expect((await post(shallow.message, shallow.headers)).result.resultType).toBe('input_required');
  });
});
