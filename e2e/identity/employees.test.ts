import { beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { type Company, createTestCompany, operate, send, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { type App, newTokens, refresh, registerApp, useToken } from './app.ts';
import { HOME, linkTo, PASSWORD, type Person, signIn } from './people.ts';
import { type Page, visit } from './visitor.ts';

const stack = sharedStack();
let company: Company;
let app: App;
beforeAll(async () => {
  company = await createTestCompany();
  app = await registerApp();
});

let hired = 0;
const newAddress = () => `employee.${process.pid}.${(hired += 1)}.${Math.random().toString(36).slice(2)}@example.com`;

async function hire(where = company): Promise<{ id: string; email: string }> {
  const email = newAddress();
  const reply = await where.call('POST', '/employees', { name: 'Emil Employee', email });
  expect([reply.status, reply.body.invitation_pending]).toEqual([201, true]);
  return { id: reply.body.id, email };
}

/** An employee with a password, as the operator can make one. */
async function person(where = company): Promise<Person> {
  const { id, email } = await hire(where);
  expect((await operate(stack, 'PUT', `/employees/${id}/password`, { password: PASSWORD })).status).toBe(204);
  const key = await succeeded(operate(stack, 'POST', `/employees/${id}/api_keys`, { name: 'own' }));
  return { ...visit(stack.base_url), email, employeeId: id, companyId: where.id, apiKey: key.body.api_key };
}
const isPending = async (id: string) => (await company.call('GET', `/employees/${id}`)).body.invitation_pending;

describe('an invited employee', () => {
  it('an invited employee sets a password by the link of the e-mail and is signed in, which ends the invitation', async () => {
    const { id, email } = await hire();
    const link = await linkTo(email);
    const browser = visit(stack.base_url);
    const different = await browser.press(await browser.open(link), 'Set password', {
      Password: PASSWORD,
      'Repeat password': 'something else',
    });
    expect([different.status, await isPending(id)]).toEqual([422, true]);
    const short = await browser.press(different, 'Set password', { Password: 'short', 'Repeat password': 'short' });
    expect(short.status).toBe(422);
    const set = { Password: PASSWORD, 'Repeat password': PASSWORD };
    const dashboard = await browser.press(short, 'Set password', set);
    expect(new URL(dashboard.url).pathname).toBe(HOME.path);
    await waitUntil(async () => (await isPending(id)) === false, { what: 'the end of the invitation' });

    const again = visit(stack.base_url);
    expect((await again.open(link)).status).toBe(404);
  });

  it('an invited employee stays invited when only the operator sets a password, until the first sign-in', async () => {
    const employee = await person();
    expect(await isPending(employee.employeeId)).toBe(true);
    await signIn(employee);
    await waitUntil(async () => (await isPending(employee.employeeId)) === false, {
      what: 'the end of the invitation',
    });
  });
});

describe('a deleted employee', () => {
  it('a deleted employee loses keys, tokens and sessions, and can neither sign in nor get anything new', async () => {
    const employee = await person();
    await signIn(employee);
    const tokens = await newTokens(employee, app);
    const withKey = () =>
      send('GET', `${stack.base_url}/api/v1/contacts`, { headers: { 'X-Api-Key': employee.apiKey } });
    expect([(await withKey()).status, (await useToken(tokens.access_token)).status]).toEqual([200, 200]);
    expect((await company.call('DELETE', `/employees/${employee.employeeId}`)).status).toBe(204);
    // Immediately: after the response no credential works.
    expect([(await withKey()).status, (await useToken(tokens.access_token)).status]).toEqual([401, 401]);
    expect((await refresh(app, tokens.refresh_token)).status).toBe(400);
    expect(new URL((await employee.open('/dashboard/api-keys')).url).pathname).toBe('/signin');
    expect((await signIn(employee)).status).toBe(422);
    for (const [method, path, body] of [
      ['POST', `/employees/${employee.employeeId}/api_keys`, { name: 'x' }],
      ['PUT', `/employees/${employee.employeeId}/password`, { password: PASSWORD }],
    ] as const)
      expect((await operate(stack, method, path, body)).status).toBe(404);
  });
});

/** Identity has applied the change when a signed-in employee is sent to the enrolment, which is returned. */
async function requireTwoFactor(where: Company, employee: Person): Promise<Page> {
  await succeeded(where.call('PATCH', '/company', { requires_two_factor: true }));
  return waitUntil(
    async () => {
      const page = await employee.open('/dashboard/api-keys');
      return new URL(page.url).pathname === '/dashboard/security' && page;
    },
    { what: 'the enrolment' },
  );
}

describe('a company that requires a second factor', () => {
  it('a company that requires a second factor requires its employees to enrol first, and codes from then on', async () => {
    const strict = await createTestCompany();
    const employee = await person(strict);
    await signIn(employee);
    // Signed-in employees are redirected to the enrolment as well.
    const enrolment = await requireTwoFactor(strict, employee);
    const [secret = ''] = /(?<=Secret: <code>)[A-Z2-7]+/.exec(enrolment.html) ?? [];
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    expect((await employee.press(enrolment, 'Switch on', { 'One-time code': '000000' })).status).toBe(422);
    const done = await employee.press(enrolment, 'Switch on', { 'One-time code': code() });
    expect(done.html.match(/<li><code>/g)).toHaveLength(10);
    expect(new URL((await employee.open('/dashboard/api-keys')).url).pathname).toBe('/dashboard/api-keys');

    const elsewhere = { ...employee, ...visit(stack.base_url) };
    const half = await signIn(elsewhere);
    expect(new URL((await elsewhere.open('/dashboard/api-keys')).url).pathname).toBe('/signin');
    const dashboard = await elsewhere.press(half, 'Sign in', { 'One-time code': code() });
    expect(new URL(dashboard.url).pathname).toBe(HOME.path);

    // The operator resets a lost factor: sessions end at once, and the employee enrols again.
    const factor = `/employees/${employee.employeeId}/two_factor`;
    expect((await operate(stack, 'DELETE', factor)).status).toBe(204);
    expect(new URL((await employee.open('/dashboard/api-keys')).url).pathname).toBe('/signin');
    expect(new URL((await signIn(employee)).url).pathname).toBe('/dashboard/security');
    expect((await operate(stack, 'DELETE', factor)).status).toBe(204);
    expect(new URL((await employee.open('/dashboard/inbox')).url).pathname).toBe('/dashboard/security');
    expect((await operate(stack, 'DELETE', '/employees/emp_unknown/two_factor')).status).toBe(404);
    const entries = () => strict.call('GET', `/audit_events?type=two_factor.reset&object_id=${employee.employeeId}`);
    const [entry] = await waitUntil(
      async () => {
        const { audit_events: found } = (await succeeded(entries())).body;
        return found.length > 0 && found;
      },
      { what: 'the audit entry' },
    );
    expect(entry).toMatchObject({ actor: { type: 'operator', credential: { type: 'operator' } } });
  });

  it('a company that requires a second factor has an invited employee enrol right after the first password', async () => {
    const strict = await createTestCompany();
    const coworker = await person(strict);
    await signIn(coworker);
    await requireTwoFactor(strict, coworker);
    const { email } = await hire(strict);
    const browser = visit(stack.base_url);
    const page = await browser.open(await linkTo(email));
    const next = await browser.press(page, 'Set password', { Password: PASSWORD, 'Repeat password': PASSWORD });
    expect(new URL(next.url).pathname).toBe('/dashboard/security');
  });
});
