import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { emailsTo, linkTo, PASSWORD } from '../identity/people.ts';
import { visit } from '../identity/visitor.ts';
import { connectAssistant } from '../mcp/assistant.ts';
import { type Company, createTestCompany, operate, sharedStack, succeeded } from '../support/api.ts';
import { type Required, requiredRoles } from './required-roles.ts';
import { type Colleague, newColleague, request, type Role } from './staff.ts';

const document = JSON.parse(readFileSync(new URL('../../services/gateway/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { 'x-required-role'?: string }>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  path.startsWith('/api/v1/')
    ? Object.entries(methods).map(([method, operation]) => ({
        name: `${method} ${path.slice('/api/v1'.length)}`,
        method,
        path: path.slice('/api/v1'.length),
        role: operation['x-required-role'],
      }))
    : [],
);

const FORBIDDEN = [403, { error: 'forbidden', code: 'forbidden' }];
const CREDENTIALS = ['byKey', 'bySession', 'byToken'] as const;

let company: Company;
let other: Company;
let staff: Record<Role, Colleague>;
beforeAll(async () => {
  [company, other] = [await createTestCompany(), await createTestCompany()];
  const [member, admin, owner] = [
    await newColleague(company, 'member'),
    await newColleague(company, 'admin'),
    await newColleague(company, 'owner'),
  ];
  staff = { member, admin, owner };
}, 120_000);

function mayUse(role: Role, required: Required, credential: (typeof CREDENTIALS)[number]): boolean {
  if (required === 'owner') return role === 'owner' && credential !== 'byToken';
  return role !== 'member' || required === 'member';
}

describe('every operation', () => {
  it('every operation has an entry in the table, and names its role', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(Object.keys(requiredRoles).sort());
    const named = operations.map(({ name, role }) => [name, role]);
    const expected = Object.entries(requiredRoles).map(([name, required]) => [
      name,
      required === 'own' ? 'member' : required,
    ]);
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(expected));
  });

  it.each(CREDENTIALS)('every operation is refused or not by the role of the employee, %s', async (credential) => {
    const wrong: string[] = [];
    for (const { name, method, path } of operations)
      for (const role of ['member', 'admin', 'owner'] as const) {
        // Ids that are unknown and those of another company's owner; bodies that are not valid.
        for (const id of ['unknown', other.owner.id]) {
          const target = path.replace(/\{\w+\}/g, id);
          const body = ['post', 'put', 'patch'].includes(method) ? { events: 7 } : undefined;
          const reply = await request(staff[role][credential], method, target, body);
          const isRefused = reply.status === 403;
          const isRight = isRefused !== mayUse(role, requiredRoles[name]!, credential);
          if (!isRight || reply.status === 401 || reply.status >= 500) wrong.push(`${role}: ${name} ${reply.status}`);
          if (isRefused) expect([reply.status, reply.body]).toEqual(FORBIDDEN);
          if (!path.includes('{')) break;
        }
      }
    expect(wrong).toEqual([]);
  });
});

describe('what the role alone does not decide', () => {
  const patch = async (by: Record<string, string>, id: string, body: unknown) => {
    const reply = await request(by, 'patch', `/employees/${id}`, body);
    return reply.status;
  };

  it('a member changes their own name, phone and do-not-disturb, not address and role', async () => {
    const { byKey, employeeId } = staff.member;
    expect(await patch(byKey, employeeId, { name: 'M', phone: null })).toBe(200);
    expect(await patch(byKey, employeeId, { email: 'x@example.com' })).toBe(403);
    expect(await patch(byKey, employeeId, { role: 'nothing' })).toBe(403);
    const quiet = (id: string) => request(byKey, 'put', `/employees/${id}/do_not_disturb`, { enabled: false });
    expect((await quiet(employeeId)).status).toBe(200);
    expect((await quiet(staff.admin.employeeId)).status).toBe(403);
  });

  it('owners are changed, removed and made by owners, and never with an OAuth token', async () => {
    const { member, admin, owner } = staff;
    expect(await patch(admin.byKey, owner.employeeId, { name: 'X' })).toBe(403);
    expect(await patch(admin.byKey, owner.employeeId, { email: 'x@example.com' })).toBe(403);
    expect((await request(admin.byKey, 'delete', `/employees/${owner.employeeId}`)).status).toBe(403);
    expect(await patch(admin.byKey, member.employeeId, { role: 'owner' })).toBe(403);
    expect((await request(admin.byKey, 'post', '/employees', { role: 'owner' })).status).toBe(403);
    expect(await patch(owner.byToken, member.employeeId, { role: 'owner' })).toBe(403);
    expect(await patch(owner.byToken, owner.employeeId, { email: 'x@example.com' })).toBe(403);
    expect((await request(owner.byToken, 'delete', `/employees/${owner.employeeId}`)).status).toBe(403);
    const last = await request(owner.byKey, 'delete', `/employees/${owner.employeeId}`);
    expect([last.status, last.body.code]).toEqual([409, 'last_owner']);
    const demoted = await request(owner.bySession, 'patch', `/employees/${owner.employeeId}`, { role: 'admin' });
    expect([demoted.status, demoted.body.code]).toEqual([409, 'last_owner']);
  });

  it('only owners decide whether a second factor is required', async () => {
    const rule = { requires_two_factor: false };
    const change = async (by: Record<string, string>, body: unknown = rule) =>
      (await request(by, 'patch', '/company', body)).status;
    expect(await change(staff.admin.byKey)).toBe(403);
    expect(await change(staff.owner.byToken)).toBe(403);
    expect(await change(staff.admin.byToken, { city: 'Aarhus' })).toBe(200);
    expect([await change(staff.owner.byKey), await change(staff.owner.bySession)]).toEqual([200, 200]);
  });

  it('employees are shown with their roles', async () => {
    const { body } = await request(staff.member.byKey, 'get', '/employees');
    expect(body.employees.map(({ role }: { role: string }) => role)).toEqual(['owner', 'member', 'admin']);
    expect(body.employees[0].email_confirmation_pending).toBe(false);
  });
});

describe('an assistant', () => {
  it('an assistant is offered what the role allows, and refused otherwise', async () => {
    const assistant = await connectAssistant(staff.member.byToken);
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('set_do_not_disturb');
    const foreign = { employee_id: staff.admin.employeeId, enabled: true };
    expect(await assistant.refused('set_do_not_disturb', foreign)).toEqual(FORBIDDEN[1]);
    expect((await assistant.use('set_do_not_disturb', { enabled: false })).isError).toBe(false);
  });
});

it('another role is effective within a second, also where the credential is known', async () => {
  const colleague = await newColleague(company, 'admin');
  const webhooks = async (by: Record<string, string>) => (await request(by, 'get', '/webhooks')).status;
  const all = () => Promise.all(CREDENTIALS.map((credential) => webhooks(colleague[credential])));
  expect(await all()).toEqual([200, 200, 200]);
  await succeeded(company.call('PATCH', `/employees/${colleague.employeeId}`, { role: 'member' }));
  expect(await all()).toEqual([403, 403, 403]);
  await succeeded(company.call('PATCH', `/employees/${colleague.employeeId}`, { role: 'admin' }));
  expect(await all()).toEqual([200, 200, 200]);
});

it('an account cannot be taken over by changing its address', async () => {
  const victim = await newColleague(company, 'member');
  const evil = `evil.${Math.random().toString(36).slice(2)}@example.com`;
  const changed = await request(staff.admin.byKey, 'patch', `/employees/${victim.employeeId}`, { email: evil });
  expect(changed.body).toMatchObject({ email: evil, email_confirmation_pending: true });
  const link = await linkTo(victim.email, 2);
  const attacker = visit(sharedStack().base_url);
  const forgot = await attacker.open('/forgot-password');
  await attacker.press(forgot, 'Send link', { Email: evil });
  // The mail server has processed a later request of the same kind, and nothing went to the new address.
  await attacker.press(await attacker.open('/forgot-password'), 'Send link', { Email: victim.email });
  await waitUntil(async () => (await emailsTo(victim.email)).length >= 3, { what: 'the link to the old address' });
  expect(await emailsTo(evil)).toEqual([]);
  const signIn = await attacker.press(await attacker.open('/signin'), 'Sign in', { Email: evil, Password: PASSWORD });
  expect(signIn.text).toContain('Email');
  const page = await victim.open(link);
  expect(page.text).toContain(evil);
  const done = await victim.press(page, 'Confirm new address');
  expect(done.status).toBe(200);
  const { body } = await request(staff.admin.byKey, 'get', `/employees/${victim.employeeId}`);
  expect(body.email_confirmation_pending).toBe(false);
  expect((await victim.open(link)).status).toBe(404);
}, 120_000);

it('an owner confirms the address of an employee, after the password', async () => {
  const colleague = await newColleague(company, 'member');
  const email = `new.${Math.random().toString(36).slice(2)}@example.com`;
  await succeeded(company.call('PATCH', `/employees/${colleague.employeeId}`, { email }));
  const path = `/new_addresses/${colleague.employeeId}`;
  const address = await waitUntil(
    async () => {
      const shown = await staff.owner.account('GET', path);
      return shown.status === 200 && shown.body;
    },
    { what: 'the new address' },
  );
  expect(address.email).toBe(email);
  expect((await staff.admin.account('GET', path)).status).toBe(404);
  const confirm = async (password: string, emailChange: string) => {
    const body = { password, email_change: emailChange };
    return (await staff.owner.account('POST', `${path}/confirmation`, body)).status;
  };
  expect(await confirm('wrong', address.email_change)).toBe(422);
  for (const change of ['', 'x', '-1', '9'.repeat(30)]) expect(await confirm(PASSWORD, change)).toBe(422);
  expect(await confirm(PASSWORD, address.email_change)).toBe(204);
  const { body } = await company.call('GET', `/employees/${colleague.employeeId}`);
  expect(body).toMatchObject({ email, email_confirmation_pending: false });
});

it('the employee confirms in the settings, after the password', async () => {
  const colleague = await newColleague(company, 'member');
  const email = `own.${Math.random().toString(36).slice(2)}@example.com`;
  await succeeded(company.call('PATCH', `/employees/${colleague.employeeId}`, { email }));
  const path = `/new_addresses/${colleague.employeeId}`;
  const address = await waitUntil(
    async () => {
      const shown = await colleague.account('GET', path);
      return shown.body.email === email && shown.body;
    },
    { what: 'the new address' },
  );
  const body = { password: PASSWORD, email_change: address.email_change };
  expect((await colleague.account('POST', `${path}/confirmation`, body)).status).toBe(204);
  const changed = await company.call('GET', `/employees/${colleague.employeeId}`);
  expect(changed.body.email_confirmation_pending).toBe(false);
});

it('a softphone session cannot be made with a credential that has ended, and a key ends at once', async () => {
  const colleague = await newColleague(company, 'member');
  expect((await request(colleague.byKey, 'post', '/softphone_sessions')).status).toBe(201);
  const key = await succeeded(
    operate(sharedStack(), 'POST', `/employees/${colleague.employeeId}/api_keys`, { name: 'B' }),
  );
  await succeeded(operate(sharedStack(), 'DELETE', `/api_keys/${key.body.id}`));
  expect((await request({ 'X-Api-Key': key.body.api_key }, 'post', '/softphone_sessions')).status).toBe(401);
});
