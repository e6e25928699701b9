import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { scratchDir } from '@parley/testkit';
import { type Stack, startStack } from './stack.ts';

let scratch: Awaited<ReturnType<typeof scratchDir>>;
let stack: Stack | undefined;

beforeEach(async () => {
  scratch = await scratchDir();
});

afterEach(async () => {
  await stack?.stop();
  await scratch.remove();
});

describe('a stack for tests', () => {
  it('runs on free ports until it is stopped', async () => {
    stack = await startStack({ dataDir: `${scratch.path}/data` });
    expect((await fetch(`${stack.baseUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${stack.sandboxUrl}/clock`)).status).toBe(200);
    const created = await fetch(`${stack.operatorUrl}/operator/v1/companies`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Holm & Co',
        country: 'DK',
        owner: { name: 'Grace Holm', email: 'grace@holm.example', password: 'a-long-password' },
      }),
    });
    expect(created.status).toBe(201);
    await stack.stop();
    await expect(fetch(`${stack.baseUrl}/healthz`)).rejects.toThrow('fetch failed');
    stack = undefined;
  });

  it('has a demo company with a number to call, the same at its second start', async () => {
    const options = { dataDir: `${scratch.path}/data`, seed: 'demo' } as const;
    const numbers = async ({ baseUrl, demo }: Stack) =>
      (await fetch(`${baseUrl}/api/v1/business_numbers`, { headers: { 'x-api-key': demo!.api_key } })).json();
    stack = await startStack(options);
    const { demo } = stack;
    const first = await numbers(stack);
    expect(first).toMatchObject({ main_numbers: [{ name: 'Main line', number: '+4571990100' }] });
    await stack.stop();
    stack = await startStack(options);
    expect(stack.demo).toEqual(demo);
    expect(await numbers(stack)).toEqual(first);
  }, 90_000);

  it('can be given up while it starts', async () => {
    const giveUp = new AbortController();
    const progress = (line: string) => line.startsWith('starting sandbox') && giveUp.abort();
    const starting = startStack({ dataDir: `${scratch.path}/data`, signal: giveUp.signal, progress });
    await expect(starting).rejects.toThrow();
    stack = await startStack({ dataDir: `${scratch.path}/data` });
    expect((await fetch(`${stack.baseUrl}/healthz`)).status).toBe(200);
  });
});
