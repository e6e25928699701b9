import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import { waitUntil } from '@parley/testkit';
import { startCallControl, type TestCallControl, type TestEmployee } from './start-call-control.ts';

const { AVAILABLE, LOGGED_OUT, DO_NOT_DISTURB } = PresenceStatus;

let callControl: TestCallControl;
beforeAll(async () => {
  callControl = await startCallControl({ PRESENCE_LEASE_SECS: '2' });
});
afterAll(() => callControl?.stop());

const goOnline = ({ id }: TestEmployee, sessionId = 'phone') =>
  callControl.presence.startSession({ employeeId: id, sessionId });
const presenceOf = async ({ id, companyId }: TestEmployee) =>
  (await callControl.presence.listPresences({ companyId, employeeIds: [id] })).presences[0];
/** An event may be published again after a restart; its version says that it is the same. */
const heardOf = ({ id }: TestEmployee) => {
  const own = callControl.heard.filter(({ employeeId }) => employeeId === id);
  return [...new Map(own.map(({ version, status }) => [version, status])).values()];
};

describe('a softphone', () => {
  it('makes the employee available the moment it is on line, and ends a pending invitation', async () => {
    const employee = callControl.hire({ invitationPending: true });
    const { presence, leaseMs } = await goOnline(employee);
    expect([presence?.status, presence?.statusInDoNotDisturb, leaseMs]).toEqual([AVAILABLE, DO_NOT_DISTURB, 2000]);
    expect(employee.invitationPending).toBe(false);
    expect((await presenceOf(employee))?.status).toBe(AVAILABLE);
  });

  it('goes off line as often as it likes', async () => {
    const employee = callControl.hire();
    await goOnline(employee);
    for (let times = 0; times < 2; times += 1) {
      const ended = await callControl.presence.endSession({ employeeId: employee.id, sessionId: 'phone' });
      expect(ended.presence?.status).toBe(LOGGED_OUT);
    }
    await waitUntil(() => heardOf(employee).length === 2, { what: 'both events' });
    expect(heardOf(employee)).toEqual([AVAILABLE, LOGGED_OUT]);
  });

  it('of nobody is refused like any unknown id', async () => {
    await expect(callControl.presence.startSession({ employeeId: 'emp_none', sessionId: 'x' })).rejects.toMatchObject({
      refusal: { code: 'not_found' },
    });
  });

  it('that is not renewed is off line after one lease, also when call-control was down meanwhile', async () => {
    const employee = callControl.hire();
    await goOnline(employee);
    await callControl.restart();
    await waitUntil(async () => (await presenceOf(employee))?.status === LOGGED_OUT, { what: 'the end of the lease' });
    await waitUntil(() => heardOf(employee).length === 2, { what: 'both events' });
    expect(heardOf(employee)).toEqual([AVAILABLE, LOGGED_OUT]);
  });

  it('stays on line while it is renewed, and hears when it is not known', async () => {
    const employee = callControl.hire();
    await goOnline(employee);
    const known = { employeeId: employee.id, sessionId: 'phone' };
    const unknown = { employeeId: employee.id, sessionId: 'other' };
    const started = performance.now();
    while (performance.now() - started < 3000) {
      const { ended } = await callControl.presence.renewSessions({ sessions: [known, unknown] });
      expect(ended.map(({ sessionId }) => sessionId)).toEqual(['other']);
      await waitUntil(() => true, { what: 'a turn' });
    }
    expect(heardOf(employee)).toEqual([AVAILABLE]);
    expect((await presenceOf(employee))?.status).toBe(AVAILABLE);
  });
});

describe('what directory says', () => {
  it('about a new employee is known before the first softphone', async () => {
    const employee = callControl.hire();
    await callControl.tell('updated', employee, true);
    const known = await waitUntil(() => callControl.db.collection('presences').findOne({ _id: employee.id as never }), {
      what: 'the presence',
    });
    expect(known).toMatchObject({ doNotDisturb: true, status: 'logged_out', companyId: employee.companyId });
  });

  it('removes somebody who left', async () => {
    const employee = callControl.hire();
    await goOnline(employee);
    await callControl.tell('deleted', employee, false);
    await waitUntil(async () => (await presenceOf(employee)) === undefined, { what: 'the end of the presence' });
    await waitUntil(() => heardOf(employee).at(-1) === LOGGED_OUT, { what: 'the last event' });
    await expect(goOnline(employee)).rejects.toMatchObject({ refusal: { code: 'not_found' } });
  });
});

it('presences are read by an index', async () => {
  const collection = callControl.db.collection('presences');
  const query = { companyId: 'com_1', _deleted: false };
  const plan = await collection.find(query).sort({ companyId: 1 }).explain('queryPlanner');
  expect(JSON.stringify(plan)).toContain('"indexName":"company"');
  const due = await collection.find({ 'due.at': { $lte: new Date() } }).explain('queryPlanner');
  expect(JSON.stringify(due)).toContain('"indexName":"due"');
});
