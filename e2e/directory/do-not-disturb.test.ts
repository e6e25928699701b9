import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, sandbox, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';

const stack = sharedStack();
let company: Company;
let people = 0;

beforeAll(async () => {
  company = await createTestCompany();
});

const hire = async (online: boolean) => {
  const email = `dnd.${process.pid}.${(people += 1)}@example.com`;
  const { body } = await succeeded(company.call('POST', '/employees', { name: 'Dan', email }));
  if (online) await setOnline(body, true);
  return body as { id: string };
};
const setOnline = ({ id }: { id: string }, online: boolean) =>
  succeeded(sandbox(stack, 'PUT', `/phones/${id}`, { online }));
const read = async ({ id }: { id: string }) => (await company.call('GET', `/employees/${id}`)).body;
const put = ({ id }: { id: string }, body: unknown) => company.call('PUT', `/employees/${id}/do_not_disturb`, body);

describe('do-not-disturb', () => {
  it('do-not-disturb is switched on without end and off again, and the answer shows it at once', async () => {
    const employee = await hire(true);
    const on = await put(employee, { enabled: true });
    expect(on.status).toBe(200);
    expect(on.body).toMatchObject({
      id: employee.id,
      status: 'do_not_disturb',
      do_not_disturb: true,
      do_not_disturb_activated_at: expect.any(String),
      do_not_disturb_expires_at: null,
    });
    const { status, body } = await company.call('GET', `/employees/${employee.id}/do_not_disturb`);
    expect([status, body]).toEqual([
      200,
      {
        enabled: true,
        activated_at: on.body.do_not_disturb_activated_at,
        expires_at: null,
        at_risk_main_numbers: [],
      },
    ]);
    const off = await put(employee, { enabled: false, expires_at: '2001-01-01T00:00:00Z' });
    expect(off.body).toMatchObject({ status: 'available', do_not_disturb: false, do_not_disturb_activated_at: null });
  });

  it.each(['2001-01-01T00:00:00Z', 'tomorrow', 5, {}, [], true])(
    'do-not-disturb is disabled with any expires_at (%j)',
    async (expiresAt) => {
      const { status, body } = await put(await hire(false), { enabled: false, expires_at: expiresAt });
      expect([status, body.do_not_disturb]).toEqual([200, false]);
    },
  );

  it('do-not-disturb keeps its first moment when it is switched on again', async () => {
    const employee = await hire(false);
    const first = (await put(employee, { enabled: true })).body;
    const expires = new Date(Date.parse(first.do_not_disturb_activated_at) + 7_200_000).toISOString();
    const second = (await put(employee, { enabled: true, expires_at: expires })).body;
    expect(second.do_not_disturb_activated_at).toBe(first.do_not_disturb_activated_at);
    expect(second.do_not_disturb_expires_at).toBe(expires);
  });

  it.each([
    ['nothing', {}, 'enabled'],
    ['a text', { enabled: 'true' }, 'enabled'],
    ['a time that has passed', { enabled: true, expires_at: '2001-01-01T00:00:00Z' }, 'expires_at'],
    ['no time at all', { enabled: true, expires_at: 'tomorrow' }, 'expires_at'],
    ['a number as time', { enabled: true, expires_at: 1893456000 }, 'expires_at'],
  ])('do-not-disturb is refused with %s', async (_case, body, field) => {
    const employee = await hire(false);
    const reply = await put(employee, body);
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    expect((await read(employee)).do_not_disturb).toBe(false);
  });

  it('do-not-disturb is delivered to webhooks once per real change, with the complete employee', async () => {
    const name = `status-${process.pid}`;
    const employee = await hire(false);
    const subscription = await company.call('POST', '/webhooks', {
      name,
      url: `${stack.sandbox_url}/hooks/${name}`,
      events: ['employee.status.changed'],
    });
    expect(subscription.status).toBe(201);
    await setOnline(employee, true);
    await setOnline(employee, true);
    await put(employee, { enabled: true });
    await put(employee, { enabled: true });
    await put(employee, { enabled: false });
    await setOnline(employee, false);
    const received = async (): Promise<{ body: { event: string; data: { employee: Record<string, unknown> } } }[]> =>
      (await sandbox(stack, 'GET', `/hooks/${name}`)).body;
    await waitUntil(async () => (await received()).length >= 4, { what: 'four events' });
    const delivered = (await received()).map(({ body }) => body.data.employee);
    expect(delivered.map(({ status }) => status).sort()).toEqual([
      'available',
      'available',
      'do_not_disturb',
      'logged_out',
    ]);
    expect(Object.keys(delivered[0] ?? {}).sort()).toEqual(Object.keys(await read(employee)).sort());
  });
});
