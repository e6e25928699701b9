import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testMongo } from '@parley/testkit';
import { LEASE_MS, openTestPresences } from '../../test/open-test-presences.ts';
import { createRegistrations, type Registration, type Registrations, UNKNOWN_SESSION } from './registrations.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

let test: Awaited<ReturnType<typeof openTestPresences>>;
let registrations: Registrations;
let [ada, ben] = ['', ''];
beforeEach(async () => {
  test = await openTestPresences(mongo.database('registrations'));
  registrations = createRegistrations(test.presences, test.machineClock);
  [ada, ben] = [test.hire(), test.hire({ companyId: 'com_2' })];
});

const registration = (employeeId: string, callId: string, softphoneSessionId: string | null = null): Registration => ({
  employeeId,
  callId,
  address: `sip:${employeeId}@127.0.0.1:5060`,
  softphoneSessionId,
});
const registered = (one: Registration, at = 'fs1') =>
  registrations.onRegistration(at, { type: 'registered', registration: one });
const statusOf = async (id: string) => {
  const companyId = (await test.presences.companyOf(id)) ?? '';
  return (await test.presences.of(companyId).get(id))?.status;
};
const now = () => test.machineClock.now();

describe('registrations at a switch', () => {
  it('registrations at a switch make an employee available, one lease for each contact', async () => {
    await registered(registration(ada, 'a'));
    await registered(registration(ada, 'b'));
    await registered(registration(ada, 'a'));
    await registrations.onRegistration('fs1', { type: 'unregistered', registration: { employeeId: ada, callId: 'a' } });
    expect(await statusOf(ada)).toBe('available');
    await registrations.onRegistration('fs2', { type: 'unregistered', registration: { employeeId: ada, callId: 'b' } });
    expect(await statusOf(ada)).toBe('available');
    await registrations.onRegistration('fs1', { type: 'unregistered', registration: { employeeId: ada, callId: 'b' } });
    expect(await statusOf(ada)).toBe('logged_out');
  });

  it('registrations at a switch of unknown employees are ignored', async () => {
    await registered(registration('emp_none', 'a'));
    await registrations.onRegistration('fs1', {
      type: 'unregistered',
      registration: { employeeId: 'emp_none', callId: 'a' },
    });
    expect(await statusOf('emp_none')).toBeUndefined();
  });

  it('registrations at a switch become what the switch lists: missing ones end, new ones begin, other switches are left alone', async () => {
    await registered(registration(ada, 'a'));
    await registered(registration(ada, 'elsewhere'), 'fs2');
    test.machineClock.setOffsetMs(1000);
    await registrations.reconcile('fs1', [registration(ben, 'b')], now());
    expect([await statusOf(ada), await statusOf(ben)]).toEqual(['available', 'available']);
    const { leases } = (await test.presences.of('com_1').get(ada))!;
    expect(leases.map(({ id }) => id)).toEqual(['fs2/elsewhere']);
  });

  it('registrations at a switch are renewed by the list', async () => {
    await registered(registration(ada, 'a'));
    test.machineClock.setOffsetMs(LEASE_MS - 10_000);
    const listedAt = now();
    await registrations.reconcile('fs1', [registration(ada, 'a')], listedAt);
    const { leases } = (await test.presences.of('com_1').get(ada))!;
    expect(leases[0]!.until.getTime()).toBeGreaterThanOrEqual(listedAt.getTime() + LEASE_MS);
  });

  it('registrations at a switch that began during the request of the list stay', async () => {
    const requestedAt = now();
    test.machineClock.setOffsetMs(100);
    await registered(registration(ada, 'a'));
    await registrations.reconcile('fs1', [], requestedAt);
    expect(await statusOf(ada)).toBe('available');
  });

  it('registrations at a switch that ended during the request of the list are not restored', async () => {
    await registered(registration(ada, 'a'));
    const requestedAt = now();
    test.machineClock.setOffsetMs(100);
    await registrations.onRegistration('fs1', { type: 'unregistered', registration: { employeeId: ada, callId: 'a' } });
    await registrations.reconcile('fs1', [registration(ada, 'a')], requestedAt);
    expect(await statusOf(ada)).toBe('logged_out');
    await registrations.reconcile('fs1', [registration(ada, 'a')], new Date(now().getTime() + 1));
    expect(await statusOf(ada)).toBe('available');
  });

  it('registrations at a switch are applied in the order of their events', async () => {
    const employee = test.hire({ invitationPending: true });
    await Promise.all([
      registered(registration(employee, 'a')),
      registrations.onRegistration('fs1', {
        type: 'unregistered',
        registration: { employeeId: employee, callId: 'a' },
      }),
    ]);
    expect(await statusOf(employee)).toBe('logged_out');
  });

  it('registrations at a switch end with the credential they were made with, and are named so that the switch can drop them', async () => {
    await registered(registration(ada, 'a', 'sps_1'));
    await registered(registration(ada, 'b', 'sps_2'));
    const ended = await registrations.endOfSession({ id: ada, companyId: 'com_1' }, 'sps_1');
    expect(ended).toEqual([
      { switchName: 'fs1', callId: 'a', address: `sip:${ada}@127.0.0.1:5060`, softphoneSessionId: 'sps_1' },
    ]);
    expect(await statusOf(ada)).toBe('available');
    expect(await registrations.endOfSession({ id: ada, companyId: 'com_2' }, 'sps_2')).toEqual([]);
  });

  it('registrations at a switch that were only seen in a list end with any credential, until they are renewed with their own', async () => {
    await registrations.reconcile('fs1', [registration(ada, 'a', UNKNOWN_SESSION)], now());
    await registered(registration(ada, 'b', 'sps_2'));
    const revoke = async () =>
      (await registrations.endOfSession({ id: ada, companyId: 'com_1' }, 'sps_1')).map(({ callId }) => callId);
    await registered(registration(ada, 'a', 'sps_3'));
    expect(await revoke()).toEqual([]);
    await registrations.reconcile('fs1', [registration(ada, 'c', UNKNOWN_SESSION)], now());
    expect(await revoke()).toEqual(['c']);
  });
});
