import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { movableClock } from '@parley/clock';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { startTelemetry } from '@parley/telemetry';
import { testMongo } from '@parley/testkit';
import { MongoClient } from 'mongodb';
import { decideCall } from '../calls/decide/decide-call.ts';
import { inbound, ada, transfer } from '../../test/test-call.ts';
import { type Calls, openCalls } from '../calls/store/call-store.ts';
import { type CallAdmissions, callAdmissions } from './call-admissions.ts';
import type { CallLimits } from './call-usage.ts';
import { type CallUsages, openCallUsages } from './call-usage-store.ts';

const LIMITS: CallLimits = {
  simultaneousCalls: 1000,
  callsPerMinute: 1000,
  employeeSimultaneousCalls: 1000,
  employeeCallsPerMinute: 1000,
};
const telemetry = startTelemetry({ service: 'call-control', version: '0', logLevel: 'silent' });
const mongo = testMongo();
const clock = movableClock();
const machineClock = movableClock();
const client = new MongoClient(mongo.url, { monitorCommands: true });
/** Names of the commands to the database, of the first replica. */
let commands: string[] = [];
client.on('commandStarted', ({ commandName }) => void commands.push(commandName));

interface Replica {
  calls: Calls;
  usages: CallUsages;
  admissions: CallAdmissions;
}
let one: Replica;
let two: Replica;
let companyId: string;
let companies = 0;
let ids = 0;

async function startReplica(db: ReturnType<typeof mongo.database>): Promise<Replica> {
  const calls = await openCalls({ db, relay: idleRelay(), clock });
  const usages = await openCallUsages({ db, relay: idleRelay(), clock });
  return { calls, usages, admissions: callAdmissions({ usages, calls, clock, machineClock, telemetry }) };
}

beforeAll(async () => {
  const db = mongo.database();
  await client.connect();
  one = await startReplica(client.db(db.databaseName));
  two = await startReplica(db);
});
beforeEach(() => void (companyId = `com_${(companies += 1)}`));
afterAll(async () => {
  await client.close();
  await mongo.close();
});

const advance = (moved: typeof clock, ms: number) => moved.setOffsetMs(moved.offsetMs() + ms);
const newCallId = () => `cal_test_${(ids += 1)}`;

const ask = (replica: Replica, limits: Partial<CallLimits>, employeeId: string | null = null, callId = newCallId()) =>
  replica.admissions.admit(companyId, {
    callId,
    employeeId,
    limits: { ...LIMITS, ...limits },
    placed: employeeId === null ? null : { country: 'DK' },
  });

async function createCall({ calls }: Replica, callId: string): Promise<void> {
  const { call } = inbound(transfer(ada));
  const state = { ...call, id: callId, companyId, legIds: [`leg-${callId}`], legs: [] };
  await calls.of(companyId).create({ ok: true, state, events: [], commands: [], timers: {} });
}

const endCall = ({ calls }: Replica, callId: string) =>
  calls.of(companyId).change(callId, (call) => decideCall(call, { type: 'switch_lost' }, clock.now()));

/** Asks for a call and creates it if it is admitted. */
async function call(replica: Replica, limits: Partial<CallLimits>): Promise<string | null> {
  const callId = newCallId();
  if ((await ask(replica, limits, null, callId)) !== null) return null;
  await createCall(replica, callId);
  return callId;
}

describe('with two replicas', () => {
  it.each(['simultaneousCalls', 'callsPerMinute'] as const)(
    'exactly as many calls are admitted as %s allows',
    async (limit) => {
      const asked = Array.from({ length: 80 }, (_, index) => call(index % 2 ? one : two, { [limit]: 23 }));
      const admitted = (await Promise.all(asked)).filter((callId) => callId !== null);
      expect(admitted).toHaveLength(23);
    },
  );

  it.each(['employeeSimultaneousCalls', 'employeeCallsPerMinute'] as const)(
    'exactly as many calls of an employee are admitted as %s allows',
    async (limit) => {
      const asked = Array.from({ length: 40 }, (_, index) =>
        ask(index % 2 ? one : two, { [limit]: 3 }, index < 20 ? 'emp_1' : 'emp_2'),
      );
      const outcomes = await Promise.all(asked);
      expect(outcomes.slice(0, 20).filter((outcome) => outcome === null)).toHaveLength(3);
      expect(outcomes.slice(20).filter((outcome) => outcome === null)).toHaveLength(3);
    },
  );

  it('a call that ended in one of two replicas makes room in the other', async () => {
    const first = await call(one, { simultaneousCalls: 1 });
    expect(await call(two, { simultaneousCalls: 1 })).toBeNull();
    await endCall(one, first!);
    advance(machineClock, 100);
    expect(await call(two, { simultaneousCalls: 1 })).not.toBeNull();
  });
});

describe('a call is not counted', () => {
  it('a call is not counted once it has ended, although nobody said so: its process crashed', async () => {
    const callIds = [await call(one, {}), await call(one, {})];
    for (const callId of callIds) await endCall(two, callId!);
    expect(await call(one, { simultaneousCalls: 1 })).not.toBeNull();
    expect((await one.usages.of(companyId).get(companyId))?.admitted).toHaveLength(1);
  });

  it('a call is not counted after half a minute when its process crashed before it was created', async () => {
    expect(await ask(one, { simultaneousCalls: 1 })).toBeNull();
    advance(machineClock, 29_000);
    expect(await ask(two, { simultaneousCalls: 1 })).toBe('simultaneousCalls');
    advance(machineClock, 2000);
    expect(await ask(two, { simultaneousCalls: 1 })).toBeNull();
  });

  it('a call that could not be created is no longer counted, at once', async () => {
    const callId = newCallId();
    await ask(one, { simultaneousCalls: 1 }, null, callId);
    expect(await ask(one, { simultaneousCalls: 1 })).toBe('simultaneousCalls');
    one.admissions.ended({ companyId, id: callId });
    expect(await ask(one, { simultaneousCalls: 1 })).toBeNull();
  });

  it('a call is not counted a minute later, by the test clock', async () => {
    const limits = { callsPerMinute: 2 };
    const outcomes = async () => [await ask(one, limits), await ask(two, limits), await ask(one, limits)];
    expect(await outcomes()).toEqual([null, null, 'callsPerMinute']);
    advance(clock, 60_000);
    expect(await outcomes()).toEqual([null, null, 'callsPerMinute']);
  });
});

it('an operator who raises a limit is obeyed at once', async () => {
  expect(await ask(one, { callsPerMinute: 1 })).toBeNull();
  expect(await ask(one, { callsPerMinute: 1 })).toBe('callsPerMinute');
  expect(await ask(one, { callsPerMinute: 2 })).toBeNull();
});

describe('what it costs', () => {
  const writes = () => commands.filter((name) => name === 'update' || name === 'insert' || name === 'findAndModify');

  it('a call within its limits is one write and no read', async () => {
    await ask(one, {});
    commands = [];
    await ask(one, {});
    expect(commands.filter((name) => name !== 'endSessions')).toEqual(['update']);
  });

  it('a flood is refused with hardly any command', async () => {
    await ask(one, { callsPerMinute: 1 });
    await ask(one, { callsPerMinute: 1 });
    commands = [];
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => ask(one, { callsPerMinute: 1 })));
    expect(outcomes.filter((outcome) => outcome === null)).toEqual([]);
    expect(commands).toEqual([]);
  });

  it('a flood at a company with as many open calls as it may have is decided together', async () => {
    for (let n = 0; n < 3; n++) await call(one, {});
    commands = [];
    const outcomes = await Promise.all(Array.from({ length: 1000 }, () => ask(one, { simultaneousCalls: 3 })));
    expect(outcomes.filter((outcome) => outcome === null)).toEqual([]);
    expect(commands.length).toBeLessThan(40);
    expect(writes().length).toBeLessThan(5);
  });
});

it('refused calls are counted, and reported once', async () => {
  await ask(one, { callsPerMinute: 1 });
  for (let n = 0; n < 5; n++) await ask(one, { callsPerMinute: 1 });
  const { refused } = (await one.usages.of(companyId).get(companyId))!;
  expect(refused).toMatchObject({ count: 0, reportedAt: expect.any(Date) });
});
