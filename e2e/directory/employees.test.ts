import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, operate, sandbox, send, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';

const stack = sharedStack();
let company: Company;
let other: Company;
let people = 0;

beforeAll(async () => {
  [company, other] = await Promise.all([createTestCompany(), createTestCompany(undefined, { country: 'US' })]);
});

const address = (name = 'someone') => `${name}.${process.pid}.${(people += 1)}@example.com`;
const hire = async (details: object = {}) => {
  const reply = await company.call('POST', '/employees', { name: 'Emma', email: address(), ...details });
  if (reply.status !== 201) throw new Error(`not hired: ${reply.text}`);
  return reply.body;
};
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('an employee', () => {
  it('an employee is created with an invitation pending, and read back as answered', async () => {
    const email = address();
    const created = await company.call('POST', '/employees', { name: 'Emma', email, phone: '20 30 40 50' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^emp_/),
      name: 'Emma',
      email,
      phone: '+4520304050',
      forward_to: null,
      invitation_pending: true,
      role: 'member',
      active: true,
      deactivated_at: null,
      managed_by: null,
      email_confirmation_pending: false,
      call_waiting: false,
      status: 'logged_out',
      do_not_disturb: false,
      do_not_disturb_activated_at: null,
      do_not_disturb_expires_at: null,
      created_at: isoTime,
      updated_at: created.body.created_at,
    });
    expect((await company.call('GET', `/employees/${created.body.id}`)).body).toEqual(created.body);
  });

  it.each([
    ['no name', { email: 'a@example.com' }, 'name'],
    ['a blank name', { name: ' ', email: 'a@example.com' }, 'name'],
    ['no e-mail', { name: 'A' }, 'email'],
    ['a wrong e-mail', { name: 'A', email: 'nobody' }, 'email'],
    ['an object as e-mail', { name: 'A', email: { $ne: null } }, 'email'],
    ['a wrong phone', { name: 'A', email: 'a@example.com', phone: 'call me' }, 'phone'],
    ['a number as phone', { name: 'A', email: 'a@example.com', phone: 4520304050 }, 'phone'],
  ])('an employee is refused with %s, naming the field', async (_case, body, field) => {
    const reply = await company.call('POST', '/employees', body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ code: 'validation_failed', errors: { [field]: [expect.any(String)] } });
  });

  it('an employee has an address that is unique across all accounts, whatever its case, also in parallel', async () => {
    const email = address('Unique');
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const where = index % 2 === 0 ? company : other;
        return where.call('POST', '/employees', { name: 'A', email: index % 3 === 0 ? email.toUpperCase() : email });
      }),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 422)]);
    const loser = replies.find(({ status }) => status === 422);
    expect(loser?.body.errors).toEqual({ email: ['has already been taken'] });
    const another = await hire();
    const taken = await company.call('PATCH', `/employees/${another.id}`, { email: email.toLowerCase() });
    expect([taken.status, taken.body.errors]).toEqual([422, { email: ['has already been taken'] }]);
  });

  it('an employee keeps what a change leaves out; null clears the phone only', async () => {
    const employee = await hire({ phone: '+4520304051' });
    const renamed = await company.call('PATCH', `/employees/${employee.id}`, {
      name: 'Emma B',
      status: 'on_call',
      id: 'x',
    });
    expect(renamed.body).toMatchObject({ id: employee.id, name: 'Emma B', phone: '+4520304051', status: 'logged_out' });
    const cleared = await company.call('PATCH', `/employees/${employee.id}`, { phone: null });
    expect([cleared.status, cleared.body.phone, cleared.body.name]).toEqual([200, null, 'Emma B']);
    for (const body of [{ name: null }, { email: null }, { email: '' }, { name: 7 }, { phone: 'x' }])
      expect((await company.call('PATCH', `/employees/${employee.id}`, body)).status).toBe(422);
  });

  it('an employee of another company has the same response as one that does not exist', async () => {
    const employee = await hire();
    const unknown = `emp_${'0'.repeat(32)}`;
    const attempts: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', ''],
      ['GET', '/do_not_disturb'],
      ['PUT', '/do_not_disturb', { enabled: true }],
    ];
    for (const [method, path, body] of attempts) {
      const foreign = await other.call(method, `/employees/${employee.id}${path}`, body);
      const none = await other.call(method, `/employees/${unknown}${path}`, body);
      expect([foreign.status, foreign.text]).toEqual([404, '{"error":"not_found"}']);
      expect(none.text).toBe(foreign.text);
    }
  });

  it('an employee is listed with all employees, in the order they were added', async () => {
    const own = await createTestCompany();
    for (const name of ['A', 'B', 'C']) await own.call('POST', '/employees', { name, email: address() });
    const { status, body } = await own.call('GET', '/employees');
    expect([status, Object.keys(body)]).toEqual([200, ['employees']]);
    expect(body.employees.map(({ name }: { name: string }) => name)).toEqual(['Olivia Owner', 'A', 'B', 'C']);
  });
});

describe('deleting an employee', () => {
  it('deleting an employee ends their API keys and frees their address', async () => {
    const employee = await hire();
    const { body: key } = await operate(stack, 'POST', `/employees/${employee.id}/api_keys`, { name: 'k' });
    const headers = { 'X-Api-Key': key.api_key };
    expect((await send('GET', `${stack.base_url}/api/v1/company`, { headers })).status).toBe(200);
    expect((await company.call('DELETE', `/employees/${employee.id}`)).status).toBe(204);
    expect((await company.call('GET', `/employees/${employee.id}`)).status).toBe(404);
    await waitUntil(async () => (await send('GET', `${stack.base_url}/api/v1/company`, { headers })).status === 401, {
      what: 'the end of the key',
    });
    await hire({ email: employee.email });
  });

  it('deleting an employee is refused for the last owner, and for the creator of the key in use', async () => {
    const own = await createTestCompany();
    const remove = async () => {
      const { status, body } = await own.call('DELETE', `/employees/${own.owner.id}`);
      return [status, body];
    };
    expect(await remove()).toEqual([409, { error: 'last_owner', code: 'last_owner' }]);
    await succeeded(own.call('POST', '/employees', { name: 'Second', email: address(), role: 'owner' }));
    expect(await remove()).toEqual([403, { error: 'forbidden', code: 'forbidden' }]);
  });

  it('deleting an employee happens once for ten concurrent requests', async () => {
    const employee = await hire();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => company.call('DELETE', `/employees/${employee.id}`)),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.every((status) => status === 204 || status === 404 || status === 409)).toBe(true);
  });
});

describe('a softphone', () => {
  it('a softphone makes its employee available at once and ends the invitation', async () => {
    const employee = await hire();
    const on = await sandbox(stack, 'PUT', `/phones/${employee.id}`, { online: true });
    expect([on.status, on.body]).toEqual([200, { online: true, legs: [] }]);
    expect((await company.call('GET', `/employees/${employee.id}`)).body).toMatchObject({
      status: 'available',
      invitation_pending: false,
    });
    expect((await sandbox(stack, 'GET', `/phones/${employee.id}`)).body).toEqual({ online: true, legs: [] });
    await sandbox(stack, 'PUT', `/phones/${employee.id}`, { online: false });
    expect((await company.call('GET', `/employees/${employee.id}`)).body.status).toBe('logged_out');
  });

  it('a softphone of an unknown employee does not exist', async () => {
    expect((await sandbox(stack, 'PUT', '/phones/emp_nobody', { online: true })).status).toBe(404);
    expect((await sandbox(stack, 'PUT', '/phones/emp_nobody', { online: 'yes' })).status).toBe(422);
  });
});
