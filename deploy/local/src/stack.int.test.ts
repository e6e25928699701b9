import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scratchDir, waitUntil } from '@parley/testkit';
import { type Stack, type StackOptions, startStack } from './stack.ts';

let scratch: Awaited<ReturnType<typeof scratchDir>>;
let options: StackOptions;
let stack: Stack;

beforeAll(async () => {
  scratch = await scratchDir();
  // Without voices the demo company has nearly no history, which would take most of a minute of processor time.
  const environment = { ...process.env, MODELS_DIR: '/dev/null/models' };
  options = { dataDir: `${scratch.path}/data`, seed: 'demo', environment };
});
afterAll(async () => {
  await stack?.stop();
  await scratch.remove();
});

async function send(method: string, url: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  return (await answer.json()) as any;
}

const api = ({ baseUrl, demo }: Stack, method: string, path: string, body?: object) =>
  send(method, `${baseUrl}/api/v1${path}`, body, { 'x-api-key': demo!.api_key });

describe('a stack for tests', () => {
  it('a stack for tests starts on free ports after a start that was aborted', async () => {
    const abort = new AbortController();
    const progress = (line: string) => line.startsWith('starting sandbox') && abort.abort();
    await expect(startStack({ ...options, signal: abort.signal, progress })).rejects.toThrow();

    stack = await startStack(options);
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
  }, 300_000);

  it('a stack for tests has the same demo company at its second start, and nothing due by the clock of a run that was ahead', async () => {
    const { demo } = stack;
    const numbers = await api(stack, 'GET', '/business_numbers');
    expect(numbers).toMatchObject({
      main_numbers: [
        { name: 'Main line', number: '+4571990100' },
        { name: 'Reception', number: '+4571990101' },
      ],
    });

    const hook = `${stack.sandboxUrl}/hooks/failing`;
    await send('PUT', hook, { responses: [500] });
    await send('POST', `${stack.sandboxUrl}/clock/advance`, { seconds: 86_400 });
    const { id } = await api(stack, 'POST', '/webhooks', { name: 'W', url: hook, events: ['contact.created'] });
    await api(stack, 'POST', `/webhooks/${id}/test`);
    // Zero when it has been delivered meanwhile.
    const nextAttempt = async () => {
      const { deliveries } = await api(stack, 'GET', `/webhooks/${id}/deliveries`);
      return deliveries[0]?.attempts[0]?.status_code && Date.parse(deliveries[0].next_attempt_at ?? '1970-01-01');
    };
    const planned = await waitUntil(nextAttempt, { what: 'the first attempt to fail' });
    expect(planned).toBeGreaterThan(Date.now() + 80_000_000);
    await stack.stop();
    await expect(fetch(`${stack.baseUrl}/healthz`)).rejects.toThrow('fetch failed');

    stack = await startStack(options);
    expect(stack.demo).toEqual(demo);
    expect(await api(stack, 'GET', '/business_numbers')).toEqual(numbers);
    // A further attempt may have failed meanwhile.
    expect(await nextAttempt()).toBeLessThan(Date.now() + 3_600_000);
  }, 300_000);
});
