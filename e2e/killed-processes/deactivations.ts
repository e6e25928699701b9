import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from '@jest/globals';
import { type Company, createTestCompany, operate, sandbox, send, succeeded } from '../support/api.ts';
import { healthy } from '../support/kill-processes.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { processesOfService, processesThatRun } from '../support/processes.ts';
import { seededRandom } from '../support/random.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** Another seed kills at other moments. It is part of every failure. */
const SEED = Number(process.env['PARLEY_DEACTIVATION_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const ROUNDS = 6;
/** Longer than a deactivation takes. */
const KILLED_WITHIN_MS = 600;
/** What the contract promises. */
const EFFECTIVE_WITHIN_MS = 1000;
/** A process that was killed is back, and has taken over what the other one left. */
const RECOVERED_WITHIN_MS = 60_000;

export function testDeactivations(stack: LocalStack): void {
  let company: Company;

  beforeAll(async () => {
    company = await createTestCompany(stack.local);
  });

  async function hire() {
    const email = `inactive.${process.pid}.${Math.random().toString(36).slice(2)}@example.com`;
    const { body } = await succeeded(company.call('POST', '/employees', { name: 'Emma', email }));
    const id: string = body.id;
    const key = await succeeded(operate(stack.local, 'POST', `/employees/${id}/api_keys`, { name: 'CRM' }));
    const headers = { 'X-Api-Key': key.body.api_key as string };
    const use = async () => (await send('GET', `${stack.local.base_url}/api/v1/company`, { headers })).status;
    expect(await use()).toBe(200);
    return { id, use };
  }
  const deactivate = (id: string) => company.call('PUT', `/employees/${id}/deactivation`);
  /** Undefined while there is no response. */
  const isActive = async (id: string): Promise<boolean | undefined> => {
    const reply = await company.call('GET', `/employees/${id}`).catch(() => undefined);
    return reply?.status === 200 ? reply.body.active : undefined;
  };

  it(`a deactivation whose service is killed at any moment leaves nobody with half of it (seed ${SEED})`, async () => {
    const random = seededRandom(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      const emma = await hire();
      const victim = random.pick(['directory', 'identity']);
      const reply = deactivate(emma.id).catch(() => undefined);
      await sleep(random.below(KILLED_WITHIN_MS));
      for (const pid of processesOfService(stack, victim)) process.kill(pid, 'SIGKILL');
      const wasConfirmed = (await reply)?.status === 200;
      await healthy(stack);
      const active = await waitUntil(
        async () => {
          const now = await isActive(emma.id);
          return now === undefined ? undefined : { now };
        },
        { what: 'the employee', timeoutMs: RECOVERED_WITHIN_MS },
      );
      if (wasConfirmed) expect(active.now).toBe(false);
      if (active.now) expect(await emma.use()).toBe(200);
      else
        await waitUntil(async () => (await emma.use()) === 401, {
          what: `the key to end (round ${round}, ${victim})`,
          timeoutMs: RECOVERED_WITHIN_MS,
        });
    }
  }, 600_000);

  it('a deactivation is effective within a second while the broker does not answer', async () => {
    const emma = await hire();
    await succeeded(sandbox(stack.local, 'PUT', `/phones/${emma.id}`, { online: true }));
    const brokers = processesThatRun(stack, 'nats-server');
    expect(brokers.length).toBeGreaterThan(0);
    for (const pid of brokers) process.kill(pid, 'SIGSTOP');
    try {
      const { status, body } = await deactivate(emma.id);
      expect([status, body.active]).toEqual([200, false]);
      const confirmedAt = performance.now();
      await waitUntil(
        async () => {
          const sentAt = performance.now();
          const used = await emma.use();
          if (sentAt > confirmedAt + EFFECTIVE_WITHIN_MS) expect(used).toBe(401);
          return sentAt > confirmedAt + EFFECTIVE_WITHIN_MS;
        },
        { what: 'a second to pass' },
      );
      expect((await company.call('GET', `/employees/${emma.id}`)).body.status).toBe('logged_out');
    } finally {
      for (const pid of brokers) process.kill(pid, 'SIGCONT');
    }
  }, 120_000);
}
