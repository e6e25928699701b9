import { beforeAll, describe, expect, it } from '@jest/globals';
import { createNumber } from '../business-numbers/create-number.ts';
import { connectLive } from '../live/connect-live.ts';
import { emailsTo, PASSWORD } from '../identity/people.ts';
import { visit } from '../identity/visitor.ts';
import {
  type Company,
  createTestCompany,
  operate,
  type Reply,
  sandbox,
  send,
  sharedStack,
  succeeded,
} from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';

/** What the contract promises. */
const WITHIN_MS = 1000;
const stack = sharedStack();
let company: Company;
let other: Company;
let people = 0;

beforeAll(async () => {
  [company, other] = await Promise.all([createTestCompany(), createTestCompany()]);
});

interface Hired {
  readonly id: string;
  readonly email: string;
  readonly key: { id: string; api_key: string };
  call(method: string, path: string, body?: unknown): Promise<Reply>;
}

async function hire(role = 'member', at = company): Promise<Hired> {
  const email = `inactive.${process.pid}.${(people += 1)}@example.com`;
  const { body } = await succeeded(at.call('POST', '/employees', { name: 'Emma', email, role }));
  const { body: key } = await succeeded(operate(stack, 'POST', `/employees/${body.id}/api_keys`, { name: 'CRM' }));
  const headers = { 'X-Api-Key': key.api_key as string };
  const call = (method: string, path: string, sent?: unknown) =>
    send(method, `${stack.base_url}/api/v1${path}`, { headers, body: sent });
  return { id: body.id, email, key, call };
}
const deactivation = (method: string, { id }: { id: string }, by: Pick<Company, 'call'> = company) =>
  by.call(method, `/employees/${id}/deactivation`);
const signIn = async ({ id, email }: Hired, password = PASSWORD) => {
  await succeeded(operate(stack, 'PUT', `/employees/${id}/password`, { password: PASSWORD }));
  const browser = visit(stack.base_url);
  const page = await browser.press(await browser.open('/signin'), 'Sign in', { Email: email, Password: password });
  return { browser, page };
};

describe('a deactivated employee', () => {
  it('a deactivated employee says so in every representation, and is listed by it', async () => {
    const own = await createTestCompany();
    const emma = await hire('member', own);
    expect((await own.call('GET', `/employees/${emma.id}`)).body).toMatchObject({
      active: true,
      deactivated_at: null,
      managed_by: null,
    });
    const { status, body } = await deactivation('PUT', emma, own);
    expect([status, body.id, body.active, body.managed_by]).toEqual([200, emma.id, false, null]);
    expect(Date.parse(body.deactivated_at)).toBeGreaterThan(Date.now() - 60_000);
    expect((await deactivation('PUT', emma, own)).body).toEqual(body);
    expect((await own.call('GET', `/employees/${emma.id}`)).body).toEqual(body);
    const listed = async (query: string) =>
      (await succeeded(own.call('GET', `/employees${query}`))).body.employees.map(({ id }: { id: string }) => id);
    expect(await listed('?active=true')).toEqual([own.owner.id]);
    expect(await listed('?active=false')).toEqual([emma.id]);
    expect(await listed('')).toEqual([own.owner.id, emma.id]);
    expect((await own.call('GET', '/employees?active=maybe')).status).toBe(422);
    const back = await deactivation('DELETE', emma, own);
    expect([back.status, back.body.active, back.body.deactivated_at]).toEqual([200, true, null]);
    expect((await deactivation('DELETE', emma, own)).body).toEqual(back.body);
  });

  it('a deactivated employee has no access within a second: key, session, live connection, softphone session', async () => {
    const emma = await hire();
    const { browser, page } = await signIn(emma);
    expect(page.status).toBe(200);
    const live = connectLive(stack, { 'X-Api-Key': emma.key.api_key });
    await live.next(1);
    await succeeded(sandbox(stack, 'PUT', `/phones/${emma.id}`, { online: true }));
    const phone = await succeeded(emma.call('POST', '/softphone_sessions', {}));
    expect((await emma.call('GET', '/company')).status).toBe(200);
    await succeeded(deactivation('PUT', emma));
    const deadline = performance.now() + WITHIN_MS;
    const unknown = await send('GET', `${stack.base_url}/api/v1/company`, { headers: { 'X-Api-Key': 'pk_unknown' } });
    const refused = await emma.call('GET', '/company');
    expect([refused.status, refused.text]).toEqual([unknown.status, unknown.text]);
    expect((await browser.account('GET', '/sessions')).status).toBe(401);
    await waitUntil(async () => live.closed(), { what: 'the end of the live connection', timeoutMs: WITHIN_MS * 10 });
    expect(performance.now()).toBeLessThan(deadline + WITHIN_MS * 5);
    await succeeded(deactivation('DELETE', emma));
    // A gateway remembers for a moment that the key was refused.
    await waitUntil(async () => (await emma.call('GET', '/company')).status === 200, { what: 'the key to work again' });
    expect((await emma.call('DELETE', `/softphone_sessions/${phone.body.id}`)).status).toBe(404);
    expect((await browser.account('GET', '/sessions')).status).toBe(401);
  });

  it('a deactivated employee cannot sign in, with the same page as for a wrong password', async () => {
    const emma = await hire();
    expect((await signIn(emma)).page.status).toBe(200);
    await succeeded(deactivation('PUT', emma));
    const browser = visit(stack.base_url);
    const attempt = async (password: string) =>
      browser.press(await browser.open('/signin'), 'Sign in', { Email: emma.email, Password: password });
    const [right, wrong] = [await attempt(PASSWORD), await attempt('a wrong password')];
    expect([right.status, right.text]).toEqual([wrong.status, wrong.text]);
    expect(right.status).toBe(422);
  });

  it('a deactivated employee is deactivated by admins, owners by owners, and nobody by themselves', async () => {
    const [admin, member, target] = [await hire('admin'), await hire(), await hire()];
    const outcome = async (reply: Promise<Reply>) => {
      const { status, body } = await reply;
      return [status, body.code];
    };
    expect(await outcome(deactivation('PUT', target, member))).toEqual([403, 'forbidden']);
    expect(await outcome(deactivation('GET', target, member))).toEqual([403, 'forbidden']);
    expect(await outcome(deactivation('PUT', company.owner, admin))).toEqual([403, 'forbidden']);
    expect(await outcome(deactivation('PUT', admin, admin))).toEqual([403, 'forbidden']);
    expect(await outcome(deactivation('PUT', company.owner))).toEqual([409, 'last_owner']);
    expect((await deactivation('PUT', target, admin)).status).toBe(200);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const foreign = await deactivation(method, target, other);
      const none = await deactivation(method, { id: `emp_${'0'.repeat(32)}` }, other);
      expect([foreign.status, foreign.text]).toEqual([404, none.text]);
    }
  });

  it('a deactivated employee and who did it are in the audit log, with the sessions that ended', async () => {
    const emma = await hire();
    await signIn(emma);
    await succeeded(deactivation('PUT', emma));
    await succeeded(deactivation('DELETE', emma));
    const entries = async (type: string) =>
      (await succeeded(company.call('GET', `/audit_events?type=${type}`))).body.audit_events.filter(
        ({ object, changes }: any) => object.id === emma.id || changes.employee_id?.from === emma.id,
      );
    for (const [type, to] of [
      ['employee.deactivated', false],
      ['employee.reactivated', true],
    ] as const) {
      const [entry] = await waitUntil(async () => ((await entries(type)).length > 0 ? entries(type) : undefined), {
        what: type,
      });
      expect(entry).toMatchObject({ actor: { id: company.owner.id }, changes: { active: { from: !to, to } } });
    }
    const [ended] = await waitUntil(
      async () => ((await entries('session.ended')).length > 0 ? entries('session.ended') : undefined),
      { what: 'the end of the session' },
    );
    expect(ended).toMatchObject({ actor: { id: company.owner.id }, changes: { reason: { to: 'deactivated' } } });
  });

  it('a deactivated employee whose keys were used is reported to owners by e-mail, with the numbers that ring nobody', async () => {
    const own = await createTestCompany();
    const emma = await hire('member', own);
    expect((await emma.call('GET', '/company')).status).toBe(200);
    const { body: number } = await createNumber(own, {
      name: 'Front desk',
      incoming_call_config: { type: 'TransferConfig', employee_ids: [emma.id] },
    });
    await waitUntil(async () => (await deactivation('GET', emma, own)).body.api_keys.length === 1, {
      what: 'the use of the key',
    });
    const { body: before } = await deactivation('GET', emma, own);
    expect(before).toEqual({
      deactivated_at: null,
      api_keys: [{ id: emma.key.id, name: 'CRM', last_used_at: expect.any(String) }],
      connected_apps: [],
    });
    await succeeded(deactivation('PUT', emma, own));
    const mail = await waitUntil(
      async () => (await emailsTo(own.owner.email)).find(({ subject }) => subject === 'Emma was deactivated'),
      { what: 'the e-mail', timeoutMs: 60_000 },
    );
    for (const named of ['CRM', number.name]) expect(mail.text).toContain(named);
    expect(await emailsTo(emma.email)).not.toContainEqual(expect.objectContaining({ subject: mail.subject }));
  });
});
