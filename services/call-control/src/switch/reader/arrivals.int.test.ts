import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@parley/clock';
import { decided } from '@parley/errors';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { startTelemetry } from '@parley/telemetry';
import { testMongo } from '@parley/testkit';
import type { CallAdmissions } from '../../call-usage/call-admissions.ts';
import { decideCall } from '../../calls/decide/decide-call.ts';
import { ada, inbound, transfer } from '../../../test/test-call.ts';
import { type Calls, openCalls } from '../../calls/store/call-store.ts';
import type { Route, Routing } from '../../clients/routing-client.ts';
import type { TrunkEnd } from '../connection/command-lines.ts';
import type { Switch, Switches } from '../connection/switch-client.ts';
import { trunkTickets } from '../trunks/trunk-ticket.ts';
import { callArrivals } from './arrivals.ts';

const mongo = testMongo();
const db = mongo.database();
const { log } = startTelemetry({ service: 'call-control', version: '0', logLevel: 'silent' });
const ordered = { steps: [] as unknown[], ends: [] as TrunkEnd[] };
const forgetOrders = () => void Object.assign(ordered, { steps: [], ends: [] });
const here = {
  name: 'switch-1',
  isDraining: false,
  trunkAddress: 'here:5082',
  control: async (_leg: string, steps: readonly unknown[]) => (ordered.steps.push(...steps), []),
  connectTrunk: async (_leg: string, end: TrunkEnd) => void ordered.ends.push(end),
};
const at = { switch: here as unknown as Switch, coreUuid: 'core-1' };
const elsewhere = { ...here, name: 'switch-2', trunkAddress: 'there:5082' } as unknown as Switch;
const tickets = trunkTickets([Buffer.alloc(32, 7).toString('base64')], systemClock);
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
    switches: { all: [at.switch, elsewhere] } as unknown as Switches,
    tickets,
    carriers: 1,
    idKey: Buffer.alloc(32, 1),
    clock: systemClock,
    log,
  });
  return {
    calls,
    arrivals,
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

describe('a leg of another switch', () => {
  beforeEach(forgetOrders);
  const takes = (ticket: string, legId: string) => one.arrivals.take({ ...at, legId }, { kind: 'switch', ticket });

  it('is connected with the phone that its ticket names, and is no call of this switch', async () => {
    const ring = { callId: 'cal_1', employeeId: 'emp_1', phone: 'sofia/internal/sip:a@10.0.0.9', timeoutSecs: 30 };
    expect(await takes(tickets.seal({ task: 'ring', ...ring }), 'trunk-1')).toBeUndefined();
    expect(ordered.ends).toEqual([{ kind: 'phone', dialString: ring.phone, callId: 'cal_1', timeoutSecs: 30 }]);
    expect(await recordsOf(one.calls, 'trunk-1')).toEqual([]);
  });

  it('is hung up without a ticket of ours', async () => {
    expect(await takes('ticket.forged', 'trunk-2')).toBeUndefined();
    expect(ordered).toEqual({ steps: [{ do: 'hang_up', legId: 'trunk-2', cause: 'CALL_REJECTED' }], ends: [] });
  });

  it('that brings a phone back to no call of this switch is hung up, and not sent on', async () => {
    const ticket = tickets.seal({ task: 'return', callId: 'cal_unknown', companyId: COMPANY, employeeId: ada.id });
    expect(await takes(ticket, 'trunk-3')).toBeUndefined();
    expect(ordered).toEqual({ steps: [{ do: 'hang_up', legId: 'trunk-3', cause: 'CALL_REJECTED' }], ends: [] });
  });

  it('is asked for where a phone returns to a call of another switch', async () => {
    const { key } = (await one.take('customer-of-the-other'))!;
    await one.calls
      .of(COMPANY)
      .changeIfExists(key.id, (call) => decided({ ...call, switch: { ...call.switch, name: 'switch-2' } }));
    const phone = {
      kind: 'phone',
      employeeId: ada.id,
      companyId: COMPANY,
      dialled: key.id,
      businessNumber: null,
    } as const;
    expect(await one.arrivals.take({ ...at, legId: 'returning' }, phone)).toBeUndefined();
    const [end] = ordered.ends;
    expect(end).toMatchObject({ kind: 'switch', address: 'there:5082' });
    const ticket = end?.kind === 'switch' ? tickets.open(end.ticket) : undefined;
    expect(ticket).toEqual({ task: 'return', callId: key.id, companyId: COMPANY, employeeId: ada.id });
  });
});

describe('a switch that takes no new calls', () => {
  const draining = { ...at, switch: { ...here, isDraining: true } as unknown as Switch };
  beforeEach(forgetOrders);

  it('refuses callers with 503, so that the carrier tries another one', async () => {
    expect(await one.arrivals.take({ ...draining, legId: 'late' }, arrival)).toBeUndefined();
    expect(ordered.steps).toEqual([{ do: 'hang_up', legId: 'late', cause: 'NORMAL_TEMPORARY_FAILURE' }]);
    expect(await recordsOf(one.calls, 'late')).toEqual([]);
  });

  it('rings its phones for calls of other switches', async () => {
    const ring = { callId: 'cal_1', employeeId: 'emp_1', phone: 'sofia/internal/sip:a@10.0.0.9', timeoutSecs: 30 };
    const ticket = tickets.seal({ task: 'ring', ...ring });
    await one.arrivals.take({ ...draining, legId: 'trunk-4' }, { kind: 'switch', ticket });
    expect(ordered.ends).toHaveLength(1);
  });
});
