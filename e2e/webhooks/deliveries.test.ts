import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, operate, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { createNumber } from '../business-numbers/create-number.ts';
import { openHook, type Hook } from './hooks.ts';

let company: Company;
let phones = 0;

beforeEach(async () => {
  company = await createTestCompany();
});

async function subscribe(events: string[], hook: Hook = openHook(company)) {
  const { body } = await succeeded(company.call('POST', '/webhooks', { name: 'CRM', url: hook.url, events }));
  return { id: body.id as string, hook };
}

const createContact = (name: string) =>
  succeeded(company.call('POST', '/contacts', { phone: `+4520${String((phones += 1)).padStart(6, '0')}`, name }));
const log = async (id: string, query = '') => (await company.call('GET', `/webhooks/${id}/deliveries${query}`)).body;

describe('a delivery', () => {
  it('a delivery can be retried with any status', async () => {
    const { id, hook } = await subscribe(['contact.created']);
    await createContact('Ane');
    await hook.has(1);
    const [delivery] = await waitUntil(
      async () => {
        const { deliveries } = await log(id);
        return deliveries[0]?.status === 'delivered' && deliveries;
      },
      { what: 'it to be delivered' },
    );
    const again = await company.call('POST', `/webhooks/${id}/deliveries/${delivery.id}/retry`);
    expect([again.status, again.body.id, again.body.status]).toEqual([202, delivery.id, 'pending']);
    const [first, second] = await hook.has(2);
    expect(second!.raw_body).toBe(first!.raw_body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    const unknown = await company.call('POST', `/webhooks/${id}/deliveries/whd_unknown/retry`);
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'not_found' }]);
  });

  it('the log of deliveries is read page by page, and refuses a cursor that is none', async () => {
    const { id, hook } = await subscribe(['contact.created']);
    for (const name of ['a', 'b', 'c']) await createContact(name);
    await hook.has(3);
    const first = await log(id, '?limit=2');
    const second = await log(id, `?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`);
    expect([first.deliveries.length, second.deliveries.length, second.next_cursor]).toEqual([2, 1, null]);
    const { status, body } = await company.call('GET', `/webhooks/${id}/deliveries?cursor=nonsense`);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['cursor']]);
  });
});

describe('a paused webhook', () => {
  it('a paused webhook keeps events in the log, sends test events, and retries on request', async () => {
    const { id, hook } = await subscribe(['contact.created']);
    await succeeded(company.call('PATCH', `/webhooks/${id}`, { active: false }));
    await createContact('held');
    const [held] = await waitUntil(
      async () => {
        const { deliveries } = await log(id);
        return deliveries[0]?.status === 'held' && deliveries;
      },
      { what: 'one to be held' },
    );
    const test = await company.call('POST', `/webhooks/${id}/test`);
    expect([test.status, test.body.event]).toEqual([202, 'webhook.test']);
    expect((await hook.has(1))[0]!.body).toMatchObject({ event: 'webhook.test', data: { webhook: { id } } });
    await succeeded(company.call('PATCH', `/webhooks/${id}`, { active: true }));
    await createContact('after');
    expect((await hook.has(2))[1]!.body.data['contact'].name).toBe('after');
    await succeeded(company.call('POST', `/webhooks/${id}/deliveries/${held.id}/retry`));
    expect((await hook.has(3))[2]!.body.data['contact'].name).toBe('held');
  });
});

describe('events beside those of contacts', () => {
  it('an employee’s do-not-disturb is delivered with the full employee', async () => {
    const { hook } = await subscribe(['employee.status.changed']);
    const { body: employee } = await company.call('PUT', `/employees/${company.owner.id}/do_not_disturb`, {
      enabled: true,
    });
    const [event] = await hook.has(1);
    expect(event!.body).toEqual({
      event: 'employee.status.changed',
      timestamp: expect.any(String),
      data: { employee },
    });
  });

  it('a number’s registration is delivered when it is approved, and the reason when it is rejected', async () => {
    const { hook } = await subscribe(['number.registration_approved', 'number.registration_rejected']);
    const register = async (steps: object[]) => {
      const { body } = await createNumber(company, { registration_status: 'pending' });
      for (const step of steps)
        await succeeded(operate(sharedStack(), 'PUT', `/business_numbers/${body.id}/registration`, step));
      return { id: body.id, number: body.number };
    };
    const approved = await register([{ status: 'submitted' }, { status: 'approved' }]);
    const rejected = await register([{ status: 'submitted' }, { status: 'rejected', reason: 'No proof of address.' }]);
    const events = (await hook.has(2)).map(({ body: { event, data } }) => [event, data] as const);
    // Events of two numbers may arrive in either order.
    expect(events.toSorted(([one], [other]) => one.localeCompare(other))).toEqual([
      ['number.registration_approved', { main_number: { ...approved, registration_status: 'approved' } }],
      [
        'number.registration_rejected',
        { main_number: { ...rejected, registration_status: 'rejected' }, reason: 'No proof of address.' },
      ],
    ]);
  });
});
