import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { startTelemetry } from '@parley/telemetry';
import { testMongo } from '@parley/testkit';
import type { CallAdmissions } from '../../call-usage/call-admissions.ts';
import { decideCall } from '../../calls/decide/decide-call.ts';
import { ada, inbound, transfer } from '../../../test/test-call.ts';
import { type Calls, openCalls } from '../../calls/store/call-store.ts';
import type { Route, Routing } from '../../clients/routing-client.ts';
import type { Switch } from '../connection/switch-client.ts';
import { callArrivals } from './arrivals.ts';

const mongo = testMongo();
const db = mongo.database();
const { log } = startTelemetry({ service: 'call-control', version: '0', logLevel: 'silent' });
const at = { switch: { name: 'switch-1', control: async () => [] } as unknown as Switch, coreUuid: 'core-1' };
const arrival = { kind: 'carrier', from: '+4520304050', dialled: '+4589880000' } as const;
const COMPANY = 'com_1';
const route: Route = {
  companyId: COMPANY,
  number: inbound(transfer(ada)).call.number,
  flow: transfer(ada),
  noAnswer: null,
  withinBusinessHours: true,
};

/** One of two processes; it is frozen while its request for the route has no answer. */
async function startReplica() {
  const calls = await openCalls({ db, relay: idleRelay(), clock: systemClock });
  let thaw = () => {};
  let frozen: Promise<void> | undefined;
  const arrivals = callArrivals({
    calls,
    routing: { route: async () => (await frozen, route) } as Partial<Routing> as Routing,
    presences: { of: () => ({}) as never },
    companyOf: async () => null as never,
    admissions: { admit: async () => null, ended: () => {} } as Partial<CallAdmissions> as CallAdmissions,
    carriers: 1,
    idKey: Buffer.alloc(32, 1),
    clock: systemClock,
    log,
  });
  return {
    calls,
    take: (legId: string, coreUuid = at.coreUuid) => arrivals.take({ ...at, coreUuid, legId }, arrival),
    freeze: () => void (frozen = new Promise((resolve) => (thaw = resolve))),
    thaw: () => thaw(),
  };
}

let one: Awaited<ReturnType<typeof startReplica>>;
let two: Awaited<ReturnType<typeof startReplica>>;
beforeAll(async () => {
  [one, two] = [await startReplica(), await startReplica()];
});
afterAll(() => mongo.close());

const recordsOf = async (calls: Calls, legId: string) =>
  (await Array.fromAsync(calls.of(COMPANY).find({ customerLegId: legId }, { startedAt: 1 }))).map(({ id }) => id);

const endCall = (calls: Calls, id: string) =>
  calls.of(COMPANY).change(id, (call) => decideCall(call, { type: 'switch_lost' }, new Date()));

describe('a leg that two processes see arrive', () => {
  it('a leg that two processes see arrive has one record when both take it at the same time', async () => {
    const [first, second] = await Promise.all([one.take('leg-same'), two.take('leg-same')]);
    expect(first?.key).toEqual(second?.key);
    expect([first?.isHandled, second?.isHandled].toSorted()).toEqual([false, true]);
    expect(await recordsOf(one.calls, 'leg-same')).toEqual([first?.key.id]);
  });

  it('a leg that two processes see arrive has no second record when one of them stood still until the call of the other had ended', async () => {
    one.freeze();
    const late = one.take('leg-late');
    const taken = await two.take('leg-late');
    await endCall(two.calls, taken!.key.id);
    one.thaw();
    expect((await late)?.key).toEqual(taken?.key);
    expect(await recordsOf(one.calls, 'leg-late')).toEqual([taken?.key.id]);
    const call = await one.calls.of(COMPANY).get(taken!.key.id);
    expect([call?.state, call?.isOpen]).toEqual(['ended', false]);
  });

  it('a leg that two processes see arrive is another call when the switch was started again in between', async () => {
    const first = await one.take('leg-again', 'core-1');
    await endCall(one.calls, first!.key.id);
    const second = await one.take('leg-again', 'core-2');
    expect(first?.key.id).not.toBe(second?.key.id);
  });
});
