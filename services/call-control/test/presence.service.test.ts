import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import { waitUntil } from '@parley/testkit';
import { type Replica, startCallControl, type TestCallControl, type TestEmployee } from './start-call-control.ts';

const { AVAILABLE, LOGGED_OUT, DO_NOT_DISTURB } = PresenceStatus;

let callControl: TestCallControl;
let other: Replica;
beforeAll(async () => {
  callControl = await startCallControl({ PRESENCE_LEASE_SECS: '2' });
  other = await callControl.secondReplica();
});
beforeEach(() => {
  callControl.targeting = () => [];
});
afterAll(() => callControl?.stop());

const register = ({ id }: TestEmployee, sessionId = 'phone', at: Replica = callControl) =>
  at.phones.startSession({ employeeId: id, sessionId });
const unregister = ({ id }: TestEmployee, sessionId = 'phone', at: Replica = callControl) =>
  at.phones.endSession({ employeeId: id, sessionId });
const presenceOf = async (employee: TestEmployee, at: Replica = callControl) =>
  (await at.presence.listPresences({ employeeIds: [employee.id] }, callControl.as(employee))).presences[0];
const setDoNotDisturb = async (
  employee: TestEmployee,
  enabled: boolean,
  expiresAt?: Date,
  at: Replica = callControl,
) => {
  const change = { employeeId: employee.id, enabled, ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }) };
  return (await at.presence.setDoNotDisturb(change, callControl.as(employee))).presence;
};
const published = ({ id }: TestEmployee) =>
  callControl.published.filter(({ employee }) => employee?.id === id).map(({ presence }) => presence?.status);
const refusedAs = (code: string) => ({ refusal: expect.objectContaining({ code }) });

describe('a registered phone', () => {
  it('makes the employee available at once, and ends a pending invitation', async () => {
    const employee = callControl.hire({ invitationPending: true });
    const { presence, leaseMs } = await register(employee);
    expect([presence?.status, leaseMs]).toEqual([AVAILABLE, 2000]);
    expect(employee.invitationPending).toBe(false);
    expect((await presenceOf(employee, other))?.status).toBe(AVAILABLE);
  });

  it('unregisters any number of times', async () => {
    const employee = callControl.hire();
    await register(employee);
    for (let times = 0; times < 2; times += 1) expect((await unregister(employee)).presence?.status).toBe(LOGGED_OUT);
    await waitUntil(() => published(employee).length === 2, { what: 'both events' });
    expect(published(employee)).toEqual([AVAILABLE, LOGGED_OUT]);
  });

  it('of an unknown employee is refused', async () => {
    await expect(callControl.phones.startSession({ employeeId: 'emp_none', sessionId: 'x' })).rejects.toMatchObject(
      refusedAs('not_found'),
    );
  });

  it('that is not renewed is gone after one lease, also when call-control was down meanwhile', async () => {
    const employee = callControl.hire();
    await register(employee);
    await callControl.restart();
    await waitUntil(async () => (await presenceOf(employee))?.status === LOGGED_OUT, { what: 'the end of the lease' });
    await waitUntil(() => published(employee).length === 2, { what: 'both events' });
    expect(published(employee)).toEqual([AVAILABLE, LOGGED_OUT]);
  });

  it('stays while it is renewed, by whichever replica; an unknown one is reported', async () => {
    const employee = callControl.hire();
    await register(employee);
    const known = { employeeId: employee.id, sessionId: 'phone' };
    const unknown = { employeeId: employee.id, sessionId: 'other' };
    const started = performance.now();
    await waitUntil(
      async () => {
        const { ended } = await other.phones.renewSessions({ sessions: [known, unknown] });
        expect(ended.map(({ sessionId }) => sessionId)).toEqual(['other']);
        return performance.now() - started > 3000;
      },
      { what: 'more than one lease' },
    );
    expect(published(employee)).toEqual([AVAILABLE]);
    expect((await presenceOf(employee))?.status).toBe(AVAILABLE);
  });
});

describe('do-not-disturb', () => {
  it('can be enabled before the event about the new employee has arrived, and is read back at once', async () => {
    const employee = callControl.hire();
    expect(await setDoNotDisturb(employee, true)).toMatchObject({ status: DO_NOT_DISTURB });
    expect(await presenceOf(employee, other)).toMatchObject({
      status: DO_NOT_DISTURB,
      doNotDisturbActivatedAt: expect.anything(),
    });
    await callControl.publish('created', employee);
    await callControl.publish('updated', Object.assign(employee, { name: 'Eva', revision: 2n }));
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

  it('of another company’s employee, or of nobody, is refused alike', async () => {
    const [employee, stranger] = [callControl.hire(), callControl.hire()];
    for (const employeeId of [stranger.id, 'emp_none'])
      await expect(
        callControl.presence.setDoNotDisturb({ employeeId, enabled: true }, callControl.as(employee)),
      ).rejects.toMatchObject(refusedAs('not_found'));
  });

  it('expires once, also when call-control was down at that moment', async () => {
    const employee = callControl.hire();
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

  it('names the numbers that nobody else would answer', async () => {
    const me = callControl.hire();
    const colleague = callControl.hire({ companyId: me.companyId });
    callControl.targeting = () => [
      { id: 'bus_1', name: 'Alone', incomingCallEmployeeIds: [me.id] },
      { id: 'bus_2', name: 'Shared', incomingCallEmployeeIds: [me.id, colleague.id] },
    ];
    const atRisk = async () =>
      (await callControl.presence.getDoNotDisturb({ employeeId: me.id }, callControl.as(me))).atRiskNumbers.map(
        ({ name }) => name,
      );
    expect(await atRisk()).toEqual(['Alone', 'Shared']);
    await register(colleague);
    expect(await atRisk()).toEqual(['Alone']);
    await setDoNotDisturb(colleague, true);
    expect(await atRisk()).toEqual(['Alone', 'Shared']);
  });
});

it('two replicas that change one employee’s presence publish every change once and in order', async () => {
  const employee = callControl.hire();
  const statuses: PresenceStatus[] = [];
  for (let round = 0; round < 20; round += 1) {
    const at = round % 2 === 0 ? callControl : other;
    await Promise.all([register(employee, 'phone', at), register(employee, 'phone', other)]);
    await setDoNotDisturb(employee, true, undefined, at);
    await setDoNotDisturb(employee, false, undefined, other);
    await unregister(employee, 'phone', at);
    statuses.push(AVAILABLE, DO_NOT_DISTURB, AVAILABLE, LOGGED_OUT);
  }
  await waitUntil(() => published(employee).length >= statuses.length, { what: 'every event' });
  expect(published(employee)).toEqual(statuses);
});

it('a deleted employee has no presence and cannot register', async () => {
  const employee = callControl.hire();
  await register(employee);
  await callControl.publish('deleted', employee);
  await waitUntil(async () => (await presenceOf(employee)) === undefined, { what: 'the end of the presence' });
  await expect(register(employee)).rejects.toMatchObject(refusedAs('not_found'));
});
