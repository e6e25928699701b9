import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, operate, sharedStack } from '../support/api.ts';

let company: Company;
beforeAll(async () => {
  company = await createTestCompany();
});

describe('the company', () => {
  it('the company is returned as it was created, without the operator’s fields', async () => {
    const { status, body } = await company.call('GET', '/company');
    expect(status).toBe(200);
    expect(body).toEqual({
      id: company.id,
      name: expect.any(String),
      address: null,
      city: null,
      state: null,
      zip: null,
      country: 'DK',
      vat_id: null,
      requires_two_factor: false,
      supervision_enabled: false,
    });
  });

  it('the company is read and found by the operator, with the operator’s fields', async () => {
    const stack = sharedStack();
    const limits = { simultaneous_calls: 7 };
    const { body: changed } = await operate(stack, 'PATCH', `/companies/${company.id}`, { limits });
    const read = await operate(stack, 'GET', `/companies/${company.id}`);
    expect([read.status, read.body]).toEqual([200, changed]);
    expect(read.body).toMatchObject({ limits, destinations: { countries: expect.any(Array) } });
    const name = `Fjord ${company.id.slice(-8)}`;
    const { body: renamed } = await operate(stack, 'PATCH', `/companies/${company.id}`, { name });
    const found = await operate(stack, 'GET', `/companies?query=${encodeURIComponent(name)}`);
    expect([found.status, found.body]).toEqual([200, { companies: [renamed], next_cursor: null }]);
    const { body: first } = await operate(stack, 'GET', '/companies?limit=1');
    expect(first.companies).toHaveLength(1);
    expect((await operate(stack, 'GET', `/companies?query=x&cursor=${first.next_cursor}`)).status).toBe(422);
    expect((await operate(stack, 'GET', '/companies/com_unknown')).status).toBe(404);
  });

  it('the company has assistants within limits of the operator, which are merged', async () => {
    const own = await createTestCompany();
    const change = (assistant: unknown) => operate(sharedStack(), 'PATCH', `/companies/${own.id}`, { assistant });
    expect((await operate(sharedStack(), 'GET', `/companies/${own.id}`)).body.assistant).toEqual({
      enabled: true,
      simultaneous_sessions: 5,
      monthly_minutes: null,
    });
    await change({ monthly_minutes: 600, simultaneous_sessions: 2 });
    expect((await change({ enabled: false })).body.assistant).toEqual({
      enabled: false,
      simultaneous_sessions: 2,
      monthly_minutes: 600,
    });
    expect((await change({ monthly_minutes: null, enabled: true })).body.assistant).toEqual({
      enabled: true,
      simultaneous_sessions: 2,
      monthly_minutes: null,
    });
    for (const [wrong, field] of [
      [{ simultaneous_sessions: -1 }, 'assistant.simultaneous_sessions'],
      [{ monthly_minutes: 1.5 }, 'assistant.monthly_minutes'],
      [{ enabled: null }, 'assistant.enabled'],
      [5, 'assistant'],
    ] as const) {
      const { status, body } = await change(wrong);
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    }
  });

  it('the company keeps what a change leaves out and clears what is null', async () => {
    const first = await company.call('PATCH', '/company', { address: 'Main St 1', city: 'Aarhus', vat_id: 'DK1' });
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({ address: 'Main St 1', city: 'Aarhus', vat_id: 'DK1', country: 'DK' }),
    ]);
    const second = await company.call('PATCH', '/company', {
      city: null,
      country: 'SE',
      name: 'Ignored',
      messaging_enabled: true,
    });
    expect(second.body).toEqual({ ...first.body, city: null, country: 'SE' });
    expect((await company.call('GET', '/company')).body).toEqual(second.body);
    await company.call('PATCH', '/company', { country: 'DK' });
  });

  it.each([
    ['an unsupported country', { country: 'BR' }, 'country'],
    ['no country', { country: null }, 'country'],
    ['a number as country', { country: 45 }, 'country'],
    ['a list as city', { city: ['Aarhus'] }, 'city'],
    ['a number as zip', { zip: 8000 }, 'zip'],
    ['an object as VAT registration', { vat_id: { $ne: 1 } }, 'vat_id'],
    ['a text as switch', { requires_two_factor: 'yes' }, 'requires_two_factor'],
    ['null as switch', { requires_two_factor: null }, 'requires_two_factor'],
  ])('the company refuses %s and changes nothing', async (_case, body, field) => {
    const before = (await company.call('GET', '/company')).body;
    const reply = await company.call('PATCH', '/company', { state: 'Changed', ...body });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    expect((await company.call('GET', '/company')).body).toEqual(before);
  });

  it('a change of the company’s country counts for the next number that is written', async () => {
    const movable = await createTestCompany();
    await movable.call('POST', '/contacts', { phone: '20 30 40 50' });
    await movable.call('PATCH', '/company', { country: 'US' });
    const { body } = await movable.call('POST', '/contacts', { phone: '(415) 555-0101' });
    expect(body.phone).toBe('+14155550101');
  });
});
