import { beforeAll, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sandbox, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { processesOfService } from '../support/processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** PRESENCE_LEASE_SECS is 20; the rest is for processes that start on a busy machine. */
const LEASE_MS_MAX = 120_000;

export function testPresence(stack: LocalStack): void {
  let company: Company;

  beforeAll(async () => {
    company = await createTestCompany(stack.local);
  });

  const hireOnline = async (name: string): Promise<string> => {
    const { body } = await succeeded(company.call('POST', '/employees', { name, email: `${name}@example.com` }));
    await setOnline(body.id, true);
    return body.id;
  };
  /** Undefined while there is no response. */
  const statusOf = async (id: string): Promise<string | undefined> => {
    const reply = await company.call('GET', `/employees/${id}`).catch(() => undefined);
    return reply?.status === 200 ? reply.body.status : undefined;
  };

  const setOnline = (id: string, online: boolean) =>
    succeeded(sandbox(stack.local, 'PUT', `/phones/${id}`, { online }));
  const isDisturbed = (id: string) =>
    waitUntil(async () => (await statusOf(id)) === 'do_not_disturb', { what: 'directory', timeoutMs: LEASE_MS_MAX });

  /** Kills a service as a power cut would; the launcher starts it again. */
  function kill(service: string): number {
    const [victim = 0, ...others] = processesOfService(stack, service);
    expect([victim > 0, others]).toEqual([true, []]);
    process.kill(victim, 'SIGKILL');
    return victim;
  }

  it('a killed process of call-control shows no wrong status while it is down and the correct one afterwards', async () => {
    const [there, away] = [await hireOnline('there'), await hireOnline('away')];
    await setOnline(away, false);
    const killed = kill('call-control');
    const seen = new Set<string | undefined>();
    await waitUntil(
      async () => {
        seen.add(await statusOf(there));
        const isBack = processesOfService(stack, 'call-control').some((pid) => pid !== killed);
        return isBack && (await statusOf(there)) === 'available' && (await statusOf(away)) === 'logged_out';
      },
      { what: 'the truth', timeoutMs: LEASE_MS_MAX },
    );
    expect([...seen].every((status) => ['available', 'unknown', undefined].includes(status))).toBe(true);
  });

  it('a killed process of directory loses neither do-not-disturb nor a status that changes meanwhile', async () => {
    const id = await hireOnline('disturbed');
    await succeeded(company.call('PUT', `/employees/${id}/do_not_disturb`, { enabled: true }));
    kill('directory');
    await isDisturbed(id);
    kill('directory');
    await sandbox(stack.local, 'PUT', `/phones/${id}`, { online: false });
    await isDisturbed(id);
    const off = await company.call('PUT', `/employees/${id}/do_not_disturb`, { enabled: false });
    expect(off.body.status).toBe('logged_out');
  });

  it('a killed process of the softphones logs their employees out after one lease', async () => {
    const id = await hireOnline('cut');
    expect(await statusOf(id)).toBe('available');
    kill('sandbox');
    await waitUntil(async () => (await statusOf(id)) === 'logged_out', {
      what: 'the end of the lease',
      timeoutMs: LEASE_MS_MAX,
    });
  });
}
