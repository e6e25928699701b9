import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { operate, sandbox, sharedStack, succeeded } from '../support/api.ts';
import { type Employee, LIMIT_MS, openPhoneCompany, type PhoneCompany } from './phone-company.ts';

const stack = sharedStack();
let fixture: PhoneCompany;
let ada: Employee;
let number: string;

beforeAll(async () => {
  fixture = await openPhoneCompany();
  ada = await fixture.hire('Ada', true);
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
}, 300_000);

const patch = (change: object, company = fixture.company) =>
  operate(stack, 'PATCH', `/companies/${company.id}`, change);

const DEFAULTS = {
  simultaneous_calls: 100,
  calls_per_minute: 300,
  employee_simultaneous_calls: 4,
  employee_calls_per_minute: 30,
};

async function dialOut(to: string): Promise<string> {
  const sent = { business_number_id: fixture.numberId(number), to };
  return (await fixture.sandbox('POST', `/phones/${ada.id}/dial`, sent)).body.leg_id;
}

const subscriberLegs = async (to: string) =>
  (await fixture.sandbox('GET', `/subscribers/${encodeURIComponent(to)}/legs`)).body as {
    leg_id: string;
    from: string;
  }[];

const rings = (to: string) =>
  waitUntil(async () => (await subscriberLegs(to))[0], { what: `${to} rings`, timeoutMs: LIMIT_MS });

async function endOf(legId: string): Promise<string | undefined> {
  await fixture.legState(legId, 'ended');
  return (await fixture.leg(legId)).hangup_cause;
}

const historyOf = async () => (await fixture.company.call('GET', '/calls?limit=50')).body.calls as { id: string }[];

describe('the operator', () => {
  it('the operator sees and changes what the calls of a company may be; other fields stay', async () => {
    const { company } = await openPhoneCompany();
    const first = await succeeded(patch({ limits: { simultaneous_calls: 7 } }, company));
    expect(first.body.limits).toEqual({ ...DEFAULTS, simultaneous_calls: 7 });
    expect(first.body.destinations).toMatchObject({ premium_rate: false, satellite: false });
    expect(first.body.destinations.countries).toEqual(expect.arrayContaining(['DK', 'NO', 'GB', 'CH', 'US', 'CA']));
    const second = await succeeded(
      patch({ limits: { calls_per_minute: 8 }, destinations: { satellite: true, countries: ['DK', 'JM'] } }, company),
    );
    expect(second.body).toMatchObject({
      limits: { ...DEFAULTS, simultaneous_calls: 7, calls_per_minute: 8 },
      destinations: { countries: ['DK', 'JM'], premium_rate: false, satellite: true },
    });
    expect((await company.call('GET', '/company')).body).not.toHaveProperty('limits');
  });

  it.each([
    [{ limits: { simultaneous_calls: -1 } }, 'limits.simultaneous_calls'],
    [{ limits: { calls_per_minute: 1.5 } }, 'limits.calls_per_minute'],
    [{ limits: { employee_calls_per_minute: '3' } }, 'limits.employee_calls_per_minute'],
    [{ limits: [] }, 'limits'],
    [{ destinations: { countries: ['DK', 'Danmark'] } }, 'destinations.countries[1]'],
    [{ destinations: { countries: 'DK' } }, 'destinations.countries'],
    [{ destinations: { premium_rate: 'yes' } }, 'destinations.premium_rate'],
  ])('the operator is refused the change %j', async (change, field) => {
    const { status, body } = await patch(change);
    expect({ status, fields: Object.keys(body.errors ?? {}) }).toEqual({ status: 422, fields: [field] });
  });

  it('the operator cannot change an unknown company', async () => {
    expect((await operate(stack, 'PATCH', '/companies/com_unknown', { limits: {} })).status).toBe(404);
  });
});

describe('calls over a limit', () => {
  it('calls over a limit of the company are busy and leave no call behind, and calls are taken again when one has ended', async () => {
    await succeeded(patch({ limits: { simultaneous_calls: 2 } }));
    const before = (await historyOf()).length;
    const legs = [await fixture.dial(number), await fixture.dial(number)];
    const callIds = [await fixture.callOf(legs[0]!), await fixture.callOf(legs[1]!)];
    const refused = await fixture.dial(number);
    expect(await endOf(refused)).toBe('USER_BUSY');
    expect((await fixture.leg(refused)).call_id).toBeNull();
    expect(await historyOf()).toHaveLength(before + 2);
    await fixture.over({ legId: legs[0]!, callId: callIds[0]! });
    const again = await fixture.dial(number);
    const callId = await fixture.callOf(again);
    await fixture.over({ legId: legs[1]!, callId: callIds[1]! }, { legId: again, callId });
    await succeeded(patch({ limits: DEFAULTS }));
    await fixture.waitUntilIdle(ada);
  });

  it('calls over a limit of an employee are busy for the phone', async () => {
    await succeeded(patch({ limits: { employee_simultaneous_calls: 1 } }));
    const [first, to] = ['+4530111001', '+4530111002'];
    const legId = await dialOut(first);
    const remote = await rings(first);
    expect(remote.from).toBe(number);
    expect(await endOf(await dialOut(to))).toBe('USER_BUSY');
    expect(await subscriberLegs(to)).toEqual([]);
    await fixture.hangUp(remote.leg_id);
    await endOf(legId);
    await succeeded(patch({ limits: DEFAULTS }));
    await fixture.waitUntilIdle(ada);
  });

  it('calls over a limit do not delay the calls of other companies', async () => {
    const other = await openPhoneCompany();
    const bob = await other.hire('Bob', true);
    const otherNumber = await other.number({ type: 'TransferConfig', employee_ids: [bob.id] });
    const ringMs = async () => {
      const startedAt = performance.now();
      const legId = await other.dial(otherNumber);
      await other.rings(bob);
      const ms = performance.now() - startedAt;
      await other.over({ legId, callId: await other.callOf(legId) });
      await other.waitUntilIdle(bob);
      return ms;
    };
    await ringMs();
    // The slowest of some, as a busy machine makes any of them slow.
    const alone = Math.max(await ringMs(), await ringMs(), await ringMs());
    await succeeded(patch({ limits: { simultaneous_calls: 5, calls_per_minute: 5 } }));
    const flood = Array.from({ length: 150 }, () => fixture.dial(number));
    const during = await ringMs();
    const legs = await Promise.all(flood);
    const causes = await Promise.all(legs.map((legId) => fixture.leg(legId)));
    await waitUntil(
      async () => {
        const states = await Promise.all(legs.map((legId) => fixture.leg(legId)));
        return states.filter(({ hangup_cause: cause }) => cause === 'USER_BUSY').length >= 145;
      },
      { what: 'refused calls', timeoutMs: LIMIT_MS },
    );
    expect(causes.filter(({ call_id: callId }) => callId !== null).length).toBeLessThanOrEqual(5);
    // Generous: the simulated network, which has the flood as well, is in the same process.
    expect(during).toBeLessThan(Math.max(2500, 8 * alone));
    for (const legId of legs) await fixture.hangUp(legId);
    await succeeded(patch({ limits: DEFAULTS }));
    await fixture.waitUntilIdle(ada);
  }, 300_000);
});

describe('a destination', () => {
  it.each(['+19005551234', '+4590123456', '+449061234567', '+881612345678', '+18765551234', '+5351234567'])(
    'the number %s is not called unless the operator allows it',
    async (to) => {
      expect(await endOf(await dialOut(to))).toBe('OUTGOING_CALL_BARRED');
      expect(await subscriberLegs(to)).toEqual([]);
    },
  );

  it('a destination that the operator allows is called', async () => {
    await succeeded(patch({ destinations: { premium_rate: true } }));
    const to = '+19005551299';
    const legId = await dialOut(to);
    await fixture.hangUp((await rings(to)).leg_id);
    expect(await endOf(legId)).toBe('CALL_REJECTED');
    await succeeded(patch({ destinations: { premium_rate: false } }));
  });

  it('a destination that is engaged is busy', async () => {
    const to = '+4530111099';
    await fixture.sandbox('PUT', `/subscribers/${encodeURIComponent(to)}`, { busy: true });
    expect(await endOf(await dialOut(to))).toBe('USER_BUSY');
    await fixture.sandbox('PUT', `/subscribers/${encodeURIComponent(to)}`, { busy: false });
  });
});

it('emergency numbers connect whatever the limits and destinations are, and the owner is notified', async () => {
  await succeeded(
    patch({
      limits: {
        simultaneous_calls: 0,
        calls_per_minute: 0,
        employee_simultaneous_calls: 0,
        employee_calls_per_minute: 0,
      },
      destinations: { countries: [] },
    }),
  );
  const before = new Set((await subscriberLegs('112')).map(({ leg_id: id }) => id));
  const legId = await dialOut('112');
  const remote = await waitUntil(
    async () => (await subscriberLegs('112')).find(({ leg_id: id, from }) => !before.has(id) && from === number),
    {
      what: '112 rings',
      timeoutMs: LIMIT_MS,
    },
  );
  const callId = await fixture.callOf(remote.leg_id);
  await fixture.sandbox('POST', `/legs/${remote.leg_id}/answer`);
  expect(await fixture.state(callId, 'bridged')).toMatchObject({ direction: 'outbound', from: number, to: '112' });
  await fixture.hangUp(legId);
  await fixture.state(callId, 'ended');
  const { email } = fixture.company.owner;
  await waitUntil(
    async () => {
      const { body } = await sandbox(stack, 'GET', `/emails?to=${encodeURIComponent(email)}`);
      return (body as { subject: string; text: string }[]).find(({ subject }) => subject === 'Emergency call to 112');
    },
    { what: 'the alert', timeoutMs: LIMIT_MS },
  );
  expect((await fixture.company.call('GET', '/inbox')).status).toBe(200);
  expect((await historyOf()).map(({ id }) => id)).toContain(callId);
}, 300_000);
