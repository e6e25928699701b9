import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import { storedDocument, waitUntil } from '@parley/testkit';
import {
  as,
  type PresenceClients,
  startCallControl,
  type TestCallControl,
  type TestEmployee,
} from './start-call-control.ts';
import { startTestSwitch, type TestSwitch } from './start-test-switch.ts';

const { AVAILABLE, LOGGED_OUT, DO_NOT_DISTURB } = PresenceStatus;

/** Far longer than another replica takes to own the switch and list its registrations. */
const LEASE_SECS = 12;

let callControl: TestCallControl;
let other: PresenceClients;
let phones: TestSwitch;
let lostPhones: TestSwitch;
beforeAll(async () => {
  [phones, lostPhones] = [await startTestSwitch('parley.invalid'), await startTestSwitch('parley.invalid')];
  const settings = (name: string, { url }: TestSwitch) => ({ name, url, secret: 'a secret of the switch' });
  callControl = await startCallControl({
    PRESENCE_LEASE_SECS: String(LEASE_SECS),
    SWITCHES: JSON.stringify([settings('one', phones), settings('two', lostPhones)]),
  });
  other = await callControl.secondReplica();
});
beforeEach(() => {
  callControl.numbersRouting.targeting = () => [];
});
afterAll(async () => {
  await callControl?.stop();
  await Promise.all([phones?.stop(), lostPhones?.stop()]);
});

const register = async (employee: TestEmployee, at = phones) => {
  at.register(employee.id, `${employee.id}@phone`);
  await waitUntil(async () => (await presenceOf(employee))?.status === AVAILABLE, { what: 'the registration' });
};
const unregister = async (employee: TestEmployee) => {
  phones.unregister(employee.id, `${employee.id}@phone`);
  await waitUntil(async () => (await presenceOf(employee))?.status === LOGGED_OUT, { what: 'the end of it' });
};
const presenceOf = async (employee: TestEmployee, at: PresenceClients = callControl) =>
  (await at.presence.listPresences({ employeeIds: [employee.id] }, as(employee))).presences[0];
const setDoNotDisturb = async (
  employee: TestEmployee,
  enabled: boolean,
  expiresAt?: Date,
  at: PresenceClients = callControl,
) => {
  const change = { employeeId: employee.id, enabled, ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) };
  return (await at.presence.setDoNotDisturb(change, as(employee))).presence;
};
const published = ({ id }: TestEmployee) =>
  callControl.published.filter(({ employee }) => employee?.id === id).map(({ presence }) => presence?.status);
const refusedAs = (code: string) => ({ refusal: expect.objectContaining({ code }) });

describe('a registered phone', () => {
  it('a registered phone makes the employee available, and ends a pending invitation', async () => {
    const employee = callControl.directory.addEmployee({ invitationPending: true });
    await register(employee);
    expect(employee.invitationPending).toBe(false);
    expect((await presenceOf(employee, other))?.status).toBe(AVAILABLE);
  });

  it('a registered phone unregisters any number of times', async () => {
    const employee = callControl.directory.addEmployee();
    await register(employee);
    await unregister(employee);
    await unregister(employee);
    await waitUntil(() => published(employee).length === 2, { what: 'both events' });
    expect(published(employee)).toEqual([AVAILABLE, LOGGED_OUT]);
  });

  it('a registered phone of an unknown employee is ignored', async () => {
    phones.register('emp_none', 'none@phone');
    await register(callControl.directory.addEmployee());
    expect(await storedDocument(callControl.db, 'employee_presences', 'emp_none')).toBeNull();
  });

  it('a registered phone stays while the switch lists it, also when call-control restarts; without its switch it expires', async () => {
    const [kept, lost] = [callControl.directory.addEmployee(), callControl.directory.addEmployee()];
    await Promise.all([register(kept), register(lost, lostPhones)]);
    await lostPhones.stop();
    await callControl.restart();
    await waitUntil(async () => (await presenceOf(lost))?.status === LOGGED_OUT, {
      what: 'the end of the lease',
      timeoutMs: 4 * LEASE_SECS * 1000,
    });
    expect((await presenceOf(kept))?.status).toBe(AVAILABLE);
    await waitUntil(() => published(lost).length === 2, { what: 'both events' });
    expect([published(kept), published(lost)]).toEqual([[AVAILABLE], [AVAILABLE, LOGGED_OUT]]);
  }, 120_000);
});

describe('do-not-disturb', () => {
  it('do-not-disturb can be enabled before the event about the new employee has arrived, and is read back at once', async () => {
    const employee = callControl.directory.addEmployee();
    expect(await setDoNotDisturb(employee, true)).toMatchObject({ status: DO_NOT_DISTURB });
    expect(await presenceOf(employee, other)).toMatchObject({
      status: DO_NOT_DISTURB,
      doNotDisturbActivatedAt: expect.anything(),
    });
    await callControl.announce('created', employee);
    await callControl.announce('updated', Object.assign(employee, { name: 'Eva', revision: 2n }));
    await waitUntil(
      async () => {
        await setDoNotDisturb(employee, false);
        await setDoNotDisturb(employee, true);
        return callControl.published.findLast((event) => event.employee?.id === employee.id)?.employee?.name === 'Eva';
      },
      { what: 'the new name in an event' },
    );
    expect((await presenceOf(employee))?.status).toBe(DO_NOT_DISTURB);
  });

  it('do-not-disturb of another company’s employee, or of an unknown one, is refused alike', async () => {
    const [employee, foreignEmployee] = [callControl.directory.addEmployee(), callControl.directory.addEmployee()];
    for (const employeeId of [foreignEmployee.id, 'emp_none'])
      await expect(
        callControl.presence.setDoNotDisturb({ employeeId, enabled: true }, as(employee)),
      ).rejects.toMatchObject(refusedAs('not_found'));
  });

  it('do-not-disturb expires once, also when call-control was down at that moment', async () => {
    const employee = callControl.directory.addEmployee();
    const expires = new Date(Date.now() + 1500);
    await setDoNotDisturb(employee, true, expires);
    await callControl.restart();
    await waitUntil(async () => (await presenceOf(employee))?.doNotDisturbActivatedAt === undefined, {
      what: 'its end',
    });
    expect(Date.now()).toBeGreaterThanOrEqual(expires.getTime());
    await waitUntil(() => published(employee).length === 2, { what: 'both events' });
    expect(published(employee)).toEqual([DO_NOT_DISTURB, LOGGED_OUT]);
  });

  it('a change of do-not-disturb lists the numbers without another available employee', async () => {
    const me = callControl.directory.addEmployee();
    const colleague = callControl.directory.addEmployee({ companyId: me.companyId });
    callControl.numbersRouting.targeting = () => [
      { id: 'bus_1', name: 'Alone', incomingCallEmployeeIds: [me.id] },
      { id: 'bus_2', name: 'Shared', incomingCallEmployeeIds: [me.id, colleague.id] },
    ];
    const atRisk = async () =>
      (await callControl.presence.getDoNotDisturb({ employeeId: me.id }, as(me))).atRiskNumbers.map(({ name }) => name);
    expect(await atRisk()).toEqual(['Alone', 'Shared']);
    await register(colleague);
    expect(await atRisk()).toEqual(['Alone']);
    await setDoNotDisturb(colleague, true);
    expect(await atRisk()).toEqual(['Alone', 'Shared']);
  });
});

it('two replicas that change one employee’s presence publish every change once and in order', async () => {
  const employee = callControl.directory.addEmployee();
  const statuses: PresenceStatus[] = [];
  for (let round = 0; round < 10; round += 1) {
    await register(employee);
    const [at, elsewhere] = round % 2 === 0 ? [callControl, other] : [other, callControl];
    await Promise.all([at, elsewhere].map((replica) => setDoNotDisturb(employee, true, undefined, replica)));
    await setDoNotDisturb(employee, false, undefined, elsewhere);
    await unregister(employee);
    statuses.push(AVAILABLE, DO_NOT_DISTURB, AVAILABLE, LOGGED_OUT);
  }
  await waitUntil(() => published(employee).length >= statuses.length, { what: 'every event' });
  expect(published(employee)).toEqual(statuses);
});

it('a deleted employee has no presence, also when the phone registers again', async () => {
  const [employee, colleague] = [callControl.directory.addEmployee(), callControl.directory.addEmployee()];
  await register(employee);
  await callControl.announce('deleted', employee);
  await waitUntil(async () => (await presenceOf(employee)) === undefined, { what: 'the end of the presence' });
  phones.register(employee.id, 'again@phone');
  await register(colleague);
  expect(await presenceOf(employee)).toBeUndefined();
});

describe('a deactivated employee', () => {
  const deactivate = async (employee: TestEmployee) => {
    Object.assign(employee, { deactivatedAt: new Date(), revision: employee.revision + 1n });
    await callControl.refresh(employee);
  };
  const reactivate = async (employee: TestEmployee) => {
    Object.assign(employee, { deactivatedAt: undefined, revision: employee.revision + 1n });
    await callControl.refresh(employee);
  };

  it('a deactivated employee loses registrations and softphone sessions without an event, at every replica', async () => {
    const employee = callControl.directory.addEmployee();
    const { id } = await callControl.softphoneSessions.createSoftphoneSession({}, as(employee));
    await register(employee);
    await deactivate(employee);
    for (const at of [callControl, other]) expect((await presenceOf(employee, at))?.status).toBe(LOGGED_OUT);
    await expect(callControl.softphoneSessions.deleteSoftphoneSession({ id }, as(employee))).rejects.toMatchObject(
      refusedAs('not_found'),
    );
  });

  it('a deactivated employee has no phone that registers, until reactivated', async () => {
    const [employee, witness] = [callControl.directory.addEmployee(), callControl.directory.addEmployee()];
    await register(employee);
    await deactivate(employee);
    phones.register(employee.id, `${employee.id}@another`);
    // Events of a switch are applied in order.
    await register(witness);
    expect((await presenceOf(employee))?.status).toBe(LOGGED_OUT);
    phones.unregister(employee.id, `${employee.id}@another`);
    await reactivate(employee);
    await register(employee);
  });

  it('a deactivated employee stays so when an older record arrives late', async () => {
    const employee = callControl.directory.addEmployee();
    await register(employee);
    const before = { ...employee };
    await deactivate(employee);
    await callControl.announce('updated', before);
    const witness = callControl.directory.addEmployee();
    await callControl.announce('created', witness);
    await waitUntil(async () => await presenceOf(witness), { what: 'the events' });
    expect((await presenceOf(employee))?.status).toBe(LOGGED_OUT);
  });

  it('a deactivated employee is the reason of no number at risk', async () => {
    const employee = callControl.directory.addEmployee();
    const number = { id: 'num_1', name: 'Front desk', incomingCallEmployeeIds: [employee.id] };
    callControl.numbersRouting.targeting = () => [number];
    await register(employee);
    const atRisk = async (asked: TestEmployee) =>
      (await callControl.presence.getDoNotDisturb({ employeeId: asked.id }, as(employee))).atRiskNumbers.length;
    expect(await atRisk(employee)).toBe(1);
    const second = callControl.directory.addEmployee({ companyId: employee.companyId });
    number.incomingCallEmployeeIds.push(second.id);
    await register(second);
    expect(await atRisk(employee)).toBe(0);
    await deactivate(second);
    expect([await atRisk(employee), await atRisk(second)]).toEqual([1, 0]);
  });
});
