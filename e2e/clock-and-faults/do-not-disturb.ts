import { beforeAll, expect, it } from '@jest/globals';
import { advanceClock, type Company, createTestCompany, resetClock, sandbox, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';

export function testDoNotDisturb(stack: LocalStack): void {
  let company: Company;

  beforeAll(async () => {
    company = await createTestCompany(stack.local);
  });

  const hireOnline = async (name: string) => {
    const { body } = await succeeded(company.call('POST', '/employees', { name, email: `${name}@example.com` }));
    await succeeded(sandbox(stack.local, 'PUT', `/phones/${body.id}`, { online: true }));
    return body.id as string;
  };
  const read = async (id: string) => (await company.call('GET', `/employees/${id}`)).body;
  const advance = (seconds: number) => advanceClock(stack.local, seconds);
  const startDoNotDisturb = async (id: string) =>
    succeeded(company.call('PUT', `/employees/${id}/do_not_disturb`, { enabled: true, expires_at: await inAnHour() }));
  const inAnHour = async () => {
    const { body } = await sandbox(stack.local, 'GET', '/clock');
    return new Date(Date.parse(body.now) + 3_600_000).toISOString();
  };

  it('do-not-disturb expires, and a softphone stays online meanwhile', async () => {
    const id = await hireOnline('expires');
    await startDoNotDisturb(id);
    await advance(3500);
    expect((await read(id)).status).toBe('do_not_disturb');
    await advance(101);
    expect(await read(id)).toMatchObject({
      status: 'available',
      do_not_disturb: false,
      do_not_disturb_activated_at: null,
      do_not_disturb_expires_at: null,
    });
  });

  it('do-not-disturb that was switched on in the future does not stay forever when the clock is moved back', async () => {
    const id = await hireOnline('stuck');
    await advance(24 * 3600);
    await startDoNotDisturb(id);
    await resetClock(stack.local);
    expect((await read(id)).status).toBe('do_not_disturb');
    await advance(3601);
    expect((await read(id)).status).toBe('available');
  });
}
