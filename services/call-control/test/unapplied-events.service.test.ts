import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { waitUntil } from '@parley/testkit';
import { ada, inbound, outbound, transfer } from './test-call.ts';
import type { Call } from '../src/calls/model/call.ts';
import { openCalls } from '../src/calls/store/call-store.ts';
import { startCallControl, type TestCallControl } from './start-call-control.ts';
import { startTestSwitch, type TestSwitch } from './start-test-switch.ts';

let callControl: TestCallControl;
let phones: TestSwitch;
beforeAll(async () => {
  phones = await startTestSwitch('parley.invalid');
  const { url } = phones;
  callControl = await startCallControl({
    SWITCHES: JSON.stringify([{ name: 'one', url, secret: 'a secret of the switch' }]),
  });
});
afterAll(async () => {
  await callControl?.stop();
  await phones?.stop();
});

/** A caller waits; the leg exists on the switch. */
async function waitingCall(companyId: string, id: string): Promise<string> {
  const calls = await openCalls({ db: callControl.db, relay: idleRelay(), clock: systemClock });
  const legId = `leg-of-${id}`;
  const { call } = inbound(transfer(ada));
  const legs = call.legs.map((leg) => ({ ...leg, id: legId, status: 'answered' as const }));
  const at = { name: 'one', coreUuid: phones.coreUuid };
  const state = { ...call, companyId, id, legs, legIds: [legId], customerLegId: legId, switch: at };
  phones.legs.add(legId);
  await calls.of(companyId).create({ ok: true, state, events: [], commands: [], timers: {} });
  return legId;
}

const stateOf = async (id: string) =>
  (await callControl.db.collection<{ _id: string; state: string }>('calls').findOne({ _id: id }))?.state;
const ends = (id: string) => waitUntil(async () => (await stateOf(id)) === 'ended', { what: `the end of ${id}` });

it('an event that cannot be stored is set aside with its reason; others are applied, and its call is repaired later', async () => {
  const { db } = callControl;
  // The database refuses the end of a second call of this company.
  const refusal = {
    name: 'refusal',
    unique: true,
    partialFilterExpression: { companyId: 'com_refused', isOpen: false },
  };
  await db.collection('calls').createIndex({ companyId: 1, isOpen: 1 }, refusal);
  phones.hangUp(await waitingCall('com_refused', 'cal_first'));
  await ends('cal_first');
  const refused = await waitingCall('com_refused', 'cal_refused');
  const other = await waitingCall('com_other', 'cal_other');
  const before = phones.connections;

  phones.hangUp(refused);
  const kept = db.collection('unapplied_switch_events');
  await waitUntil(async () => (await kept.countDocuments()) > 0, { what: 'the event that was set aside' });
  expect(await kept.findOne()).toMatchObject({
    switch: 'one',
    event: 'leg_ended',
    legId: refused,
    reason: expect.stringContaining('E11000'),
    at: expect.any(Date),
  });
  phones.hangUp(other);
  await ends('cal_other');
  expect(await stateOf('cal_refused')).not.toBe('ended');
  await db.collection('calls').dropIndex('refusal');
  await ends('cal_refused');
  expect(phones.connections).toBe(before);
});

it.each([
  ['inbound', () => inbound(transfer(ada)).call],
  ['outbound', () => outbound().call],
])('an %s call whose legs do not exist, without a report of their end, ends by itself', async (direction, create) => {
  const call: Call = create();
  const [id, at] = [`cal_gone_${direction}`, { name: 'one', coreUuid: phones.coreUuid }];
  const legs = call.legs.map((leg, index) => ({ ...leg, id: `${id}-${index}`, status: 'dialing' as const }));
  const calls = await openCalls({ db: callControl.db, relay: idleRelay(), clock: systemClock });
  const ids = { customerLegId: legs.at(-1)!.id, legs, legIds: legs.map((leg) => leg.id) };
  const phase = 'legId' in call.phase ? { ...call.phase, legId: legs[0]!.id } : call.phase;
  const state = { ...call, ...ids, phase, id, companyId: 'com_gone', switch: at };
  await calls.of('com_gone').create({ ok: true, state, events: [], commands: [], timers: {} });
  // Every call begins with an event of its switch. Without one, and without an open call before, nothing is looked for.
  phones.hangUp('leg-of-nobody');
  await ends(id);
});
