import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { type Company, createTestCompany, operate, send } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { processesOfService, processesThatRun } from '../support/processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';

const AWAY_MS = 15_000;
const PAUSE_MS = 50;
const KEYS = 20;

export function testHangingIdentity(stack: LocalStack): void {
  let company: Company;

  beforeAll(async () => {
    company = await createTestCompany(stack.local);
  });

  const newKey = async (): Promise<{ id: string; api_key: string }> => {
    const reply = await operate(stack.local, 'POST', `/employees/${company.owner.id}/api_keys`, { name: 'temporary' });
    expect(reply.status).toBe(201);
    return reply.body;
  };
  const use = async (apiKey: string): Promise<number> => {
    const reply = await send('GET', `${stack.local.base_url}/api/v1/company`, { headers: { 'X-Api-Key': apiKey } });
    return reply.status;
  };
  /** Not the workers of speech, which it starts as needed. */
  const services = () => processesThatRun(stack, '/src/main.ts').toSorted();
  const revoke = (id: string) => operate(stack.local, 'DELETE', `/api_keys/${id}`);

  it('an identity that hangs ends no service, and everything answers again', async () => {
    const keys: Awaited<ReturnType<typeof newKey>>[] = [];
    while (keys.length < KEYS) keys.push(await newKey());
    expect(new Set(await Promise.all(keys.map((key) => use(key.api_key))))).toEqual(new Set([200]));
    const before = services();
    const [identity] = processesOfService(stack, 'identity');
    const verified = performance.now();
    await waitUntil(() => performance.now() - verified > 1_100, { what: 'the cached verification to expire' });

    const pending: Promise<unknown>[] = [];
    const started = performance.now();
    // Half of these reach identity before it hangs, and are processed and published; the others after it.
    for (const key of keys) pending.push(use(key.api_key), revoke(key.id));
    process.kill(identity as number, 'SIGSTOP');
    try {
      while (performance.now() - started < AWAY_MS) {
        pending.push(use(keys[0]?.api_key as string), use(`pk_unknown${pending.length}`));
        await sleep(PAUSE_MS);
      }
    } finally {
      process.kill(identity as number, 'SIGCONT');
    }
    await Promise.all(pending);

    expect(services()).toEqual(before);
    await waitUntil(async () => (await use(company.apiKey)) === 200, { what: 'identity answers again' });
    for (const key of keys) {
      await revoke(key.id);
      await waitUntil(async () => (await use(key.api_key)) === 401, { what: 'a revoked key is refused' });
    }
    expect(services()).toEqual(before);
  }, 240_000);
}
