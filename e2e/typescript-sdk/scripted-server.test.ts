import { describe, expect, it } from '@jest/globals';
import { Parley, ParleyError } from '@parley/sdk';
import { sandbox, sharedStack, succeeded } from '../support/api.ts';

const stack = sharedStack();
const NOW = { 'Retry-After': '0' };
let servers = 0;

/** A server with these responses, a client of it, and what it was asked. */
async function scripted(responses: object[], options: { timeoutMs?: number; maxRetries?: number } = {}) {
  const path = `/servers/typescript-sdk-${process.pid}-${(servers += 1)}`;
  await succeeded(sandbox(stack, 'PUT', path, { responses }));
  const parley = new Parley({ apiKey: 'pk_scripted', baseUrl: stack.sandbox_url + path, ...options });
  const asked = async () => (await succeeded(sandbox(stack, 'GET', path))).body as Asked[];
  return { parley, asked };
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
}

const company = { body: { id: 'com_1' } };
const sent = { status: 201, body: { id: 'msg_1' } };
const text = { to: '+4520304050', text: 'Hello' };

describe('the TypeScript client and a server that misbehaves', () => {
  it.each([
    ['503 twice', [{ status: 503, headers: NOW }, { status: 502, headers: NOW }, company], 3],
    ['a lost connection', [{ ...company, cut_after_bytes: 0 }, company], 2],
    ['half a response', [{ ...company, cut_after_bytes: 5 }, company], 2],
    ['429 with a date', [{ status: 429, headers: { 'Retry-After': new Date(0).toUTCString() } }, company], 2],
  ])('the TypeScript client repeats a request after %s', async (_name, responses, times) => {
    const { parley, asked } = await scripted(responses);
    expect(await parley.company.get()).toEqual({ id: 'com_1' });
    expect(await asked()).toHaveLength(times);
  });

  it('the TypeScript client repeats a text with the same key, and anything else that creates not at all', async () => {
    const lost = { ...sent, cut_after_bytes: 0 };
    const { parley, asked } = await scripted([lost, { status: 504 }, sent, lost]);
    await parley.messages.send('num_1', text);
    const keys = (await asked()).map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    await expect(parley.contacts.create({ phone: '+4520304050' })).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(await asked()).toHaveLength(4);
  });

  it('the TypeScript client waits twice as long before each further attempt', async () => {
    const { parley, asked } = await scripted([{ status: 503 }], { maxRetries: 2 });
    const started = performance.now();
    await expect(parley.company.get()).rejects.toMatchObject({ name: 'ServerError', status: 503 });
    // 0.5 s and 1 s, each up to a fifth less.
    expect(performance.now() - started).toBeGreaterThan(1190);
    expect(await asked()).toHaveLength(3);
  });

  it.each([
    ['a Retry-After of thirty years', [{ status: 429, headers: { 'Retry-After': '1e9' } }], 'RateLimitError'],
    ['a page instead of JSON', [{ body: '<html>Sign in to the hotel</html>' }], 'ServerError'],
    ['half of a JSON', [{ headers: { 'Content-Type': 'application/json' }, body: '{"id":"com_' }], 'ServerError'],
    ['a list instead of an object', [{ body: '"text"' }], 'ServerError'],
    ['endless redirects', [{ status: 307, headers: { Location: '/' } }], 'ServerError'],
    ['a conflict', [{ status: 409, body: { error: 'employee_in_use', code: 'employee_in_use' } }], 'ConflictError'],
  ])('the TypeScript client ends with an error after %s, at once', async (_name, responses, name) => {
    const { parley, asked } = await scripted(responses);
    const error = await parley.company.get().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ParleyError);
    expect(error).toMatchObject({ name });
    expect(await asked()).toHaveLength(1);
  });

  it('the TypeScript client ends with an error when a response does not come in time', async () => {
    const { parley, asked } = await scripted([{ ...company, delay_ms: 60_000 }], { timeoutMs: 200, maxRetries: 1 });
    const started = performance.now();
    await expect(parley.company.get()).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await asked()).toHaveLength(2);
  });
});
