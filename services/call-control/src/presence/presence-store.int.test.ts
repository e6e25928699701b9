import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Refused } from '@parley/errors';
import { documentQueryPlan, testMongo, waitUntil } from '@parley/testkit';
import { LEASE_MS, openTestPresences } from '../../test/open-test-presences.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

let test: Awaited<ReturnType<typeof openTestPresences>>;
let employeeId: string;
let timers: { stop(): Promise<void> } | undefined;
beforeEach(async () => {
  test = await openTestPresences(mongo.database('presence'));
  employeeId = test.hire();
});
afterEach(async () => {
  await timers?.stop();
  timers = undefined;
});

const contact = { switchName: 'fs1', callId: 'a', address: 'sip:a@127.0.0.1', softphoneSessionId: null };
const phone = { id: 'fs1/a', contact };
const company = () => test.presences.of('com_1');
const status = async () => (await company().get(employeeId))?.status;
const conversation = { kind: 'conversation', id: 'call_1' } as const;
const ringOffer = { kind: 'ring_offer', id: 'call_2' } as const;
const held = (lease: { kind: 'conversation' | 'ring_offer'; id: string }) => ({
  companyId: 'com_1',
  employeeId,
  ...lease,
});

describe('leases', () => {
  it('leases of calls make an employee ringing, then on a call, then neither', async () => {
    expect((await company().addLease(employeeId, ringOffer)).status).toBe('ringing');
    expect((await company().addLease(employeeId, conversation)).status).toBe('on_call');
    expect((await company().endLease(employeeId, conversation))?.status).toBe('ringing');
    expect((await company().endLease(employeeId, ringOffer))?.status).toBe('logged_out');
  });

  it('leases last as long as they are renewed, and expire without their owner', async () => {
    timers = test.presences.startTimers();
    await company().addLease(employeeId, conversation);
    test.machineClock.setOffsetMs(15_000);
    expect(await test.presences.renewLeases([held(conversation)])).toEqual([]);
    const at = (ms: number) => (test.machineClock.setOffsetMs(ms), test.clock.setOffsetMs(ms));
    at(25_000);
    await waitUntil(async () => (await company().get(employeeId))?.leases.length === 1, { what: 'the renewed lease' });
    expect(await status()).toBe('on_call');
    at(36_000);
    await waitUntil(async () => (await status()) === 'logged_out', { what: 'the end of the lease' });
    expect(await test.presences.renewLeases([held(conversation), held(ringOffer)])).toHaveLength(2);
  });

  it('leases do not expire when only the product’s clock is moved', async () => {
    timers = test.presences.startTimers();
    await company().addLease(employeeId, conversation);
    await company().setDoNotDisturb(
      employeeId,
      { enabled: true, expiresAt: new Date(Date.now() + 60_000) },
      employeeId,
    );
    test.clock.setOffsetMs(3_600_000);
    await waitUntil(async () => (await company().get(employeeId))?.doNotDisturb === null, { what: 'the expiry' });
    expect(await status()).toBe('on_call');
  });

  it('leases do not expire within one lease period after a start: their owners may just be starting, too', async () => {
    await company().addLease(employeeId, conversation);
    test.machineClock.setOffsetMs(10 * LEASE_MS);
    test.clock.setOffsetMs(10 * LEASE_MS);
    timers = test.presences.startTimers();
    await company().addLease(employeeId, ringOffer);
    expect(await test.presences.renewLeases([held(conversation)])).toEqual([]);
    expect(await status()).toBe('on_call');
  });

  it('leases that many calls take at once are all kept', async () => {
    const calls = Array.from({ length: 20 }, (_, index) => ({ kind: 'conversation' as const, id: `call_${index}` }));
    await Promise.all(calls.map((call) => company().addLease(employeeId, call)));
    expect((await company().get(employeeId))?.leases).toHaveLength(20);
    await Promise.all([
      ...calls.slice(1).map((call) => company().endLease(employeeId, call)),
      test.presences.renewLeases([held({ kind: 'conversation', id: 'call_0' })]),
    ]);
    expect((await company().get(employeeId))?.leases.map(({ id }) => id)).toEqual(['call_0']);
  });
});

describe('ring offers', () => {
  it('ring offers go to one of many calls that offer at the same time', async () => {
    await test.presences.register(employeeId, phone);
    expect(await company().available([employeeId, 'emp_none'])).toEqual([employeeId]);
    const offers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => company().offerRing(employeeId, `call_${index}`)),
    );
    expect(offers.filter(Boolean)).toHaveLength(1);
    expect(await company().available([employeeId])).toEqual([]);
  });

  it('ring offers are not made to employees on do-not-disturb, logged out or unknown', async () => {
    expect(await company().offerRing(employeeId, 'call_1')).toBe(false);
    await test.presences.register(employeeId, phone);
    await company().setDoNotDisturb(employeeId, { enabled: true, expiresAt: null }, employeeId);
    expect(await company().offerRing(employeeId, 'call_1')).toBe(false);
    expect(await company().offerRing('emp_none', 'call_1')).toBe(false);
  });
});

describe('an employee whose event has not arrived', () => {
  it('an employee whose event has not arrived is looked up in directory once', async () => {
    await company().setDoNotDisturb(employeeId, { enabled: true, expiresAt: null }, employeeId);
    const lookups = test.asked.length;
    await company().setDoNotDisturb(employeeId, { enabled: false }, employeeId);
    expect([lookups > 0, test.asked.length]).toEqual([true, lookups]);
    expect((await company().get(employeeId))?.employee.name).toBe('Emma');
  });

  it('an employee of another company, or of none, is unknown when no event has arrived', async () => {
    const foreign = test.hire({ companyId: 'com_2' });
    for (const id of [foreign, 'emp_none']) {
      await expect(company().setDoNotDisturb(id, { enabled: true, expiresAt: null }, id)).rejects.toThrow(Refused);
      await expect(company().addLease(id, conversation)).rejects.toThrow(Refused);
      expect(await company().endLease(id, conversation)).toBeUndefined();
    }
  });

  it('an employee who is deleted while directory is asked has no presence', async () => {
    const find = test.employees.get(employeeId);
    // The employee exists in directory at the first request, and no longer when the presence has been written.
    let lookups = 0;
    test.employees.get = (id) => (id === employeeId && (lookups += 1) === 1 ? find : undefined);
    await expect(company().addLease(employeeId, conversation)).rejects.toThrow(Refused);
    expect(await company().get(employeeId)).toBeUndefined();
  });

  it('an employee whose event has not arrived ends a pending invitation by registering a phone', async () => {
    const invited = test.hire({ invitationPending: true });
    expect((await test.presences.register(invited, phone)).status).toBe('available');
    expect(test.employees.get(invited)?.record.invitationPending).toBe(false);
    await expect(test.presences.register('emp_none', phone)).rejects.toThrow(Refused);
  });
});

it('queries of presences use an index', async () => {
  const db = mongo.database('presence_plans');
  await openTestPresences(db);
  const plan = (filter: object, sort: Record<string, 1>) =>
    documentQueryPlan(db, 'employee_presences', filter, { sort });
  expect(await plan({ companyId: 'com_1' }, { companyId: 1, _id: 1 })).toMatchObject({ index: 'company' });
  const registered = await plan({ 'leases.contact.switchName': 'a' }, { 'leases.contact.switchName': 1 });
  expect(registered).toMatchObject({ index: 'registered_at' });
});
