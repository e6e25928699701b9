import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTelemetry } from '@parley/telemetry';
import { testMongo } from '@parley/testkit';
import type { Call } from '../../calls/model/call.ts';
import type { CallInput } from '../../calls/model/call-input.ts';
import { createLostSwitches } from './lost-switches.ts';
import { openSwitchStore, type SwitchContacts } from './switch-store.ts';
import { drainingSwitches } from '../connection/draining-switches.ts';

const mongo = testMongo();
const db = mongo.database();
afterAll(() => mongo.close());

const LOST_SECS = 60;
const { log } = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
let now: Date;
let contacts: SwitchContacts;
let reachable: string[];
let refusedSince: Date | undefined;
/** While the open calls are being read. */
let beforeRead: () => Promise<void> | void;
let applied: { id: string; input: CallInput }[];

beforeEach(async () => {
  await db.collection('switch_leases').deleteMany({});
  now = new Date('2026-03-02T10:00:00Z');
  const identity = { own: 'process', livenessOf: () => 'unknown' as const };
  const draining = drainingSwitches([]);
  ({ contacts } = await openSwitchStore({ db, machineClock: { now: () => now }, identity, leaseMs: 5000, draining }));
  reachable = ['east', 'west'];
  refusedSince = undefined;
  beforeRead = () => undefined;
  applied = [];
});

/** The switch on which calls without a leg continue. */
const west = { name: 'west', coreUuid: 'core-west' };

/** A process; every switch has an open call, named after it, and one that cannot be changed. */
const open = () =>
  createLostSwitches({
    contacts,
    calls: {
      async *openOn(name) {
        await beforeRead();
        yield { companyId: 'com_1', id: 'cal_defect' } as Call;
        yield { companyId: 'com_1', id: name } as Call;
      },
    },
    runner: {
      async apply({ id }, input) {
        // One that cannot be ended does not keep the others from ending.
        if (id === 'cal_defect') throw new Error('a defect of one call');
        applied.push({ id, input });
        return undefined;
      },
    },
    switches: ['east', 'west'].map((name) => ({
      name,
      coreUuid: async () => `core-${name}`,
      get isReachable() {
        return reachable.includes(name);
      },
      isDraining: false,
      get refusedSince() {
        return name === 'east' ? refusedSince : undefined;
      },
    })),
    lostMs: LOST_SECS * 1000,
    machineClock: { now: () => now },
    log,
  });
const pass = (seconds: number) => (now = new Date(now.getTime() + seconds * 1000));

describe('an unreachable switch', () => {
  it('an unreachable switch loses its calls after a while, the others keep theirs', async () => {
    const process = open();
    await process.sweep();
    reachable = ['west'];
    for (let i = 0; i < 6; i++) {
      pass(10);
      await process.sweep();
    }
    expect(applied).toEqual([]);
    pass(1);
    await process.sweep();
    expect(applied).toEqual([{ id: 'east', input: { type: 'switch_lost', next: west } }]);
  });

  it('an unreachable switch is given time by a process that was away itself', async () => {
    await open().sweep();
    pass(3600);
    reachable = [];
    const started = open();
    await started.sweep();
    expect(applied).toEqual([]);
    reachable = ['east'];
    pass(LOST_SECS + 1);
    await started.sweep();
    expect(applied.map(({ id }) => id)).toEqual(['west']);
  });

  it('an unreachable switch loses its calls soon where nothing listens at its address', async () => {
    const process = open();
    await process.sweep();
    reachable = ['west'];
    refusedSince = now;
    pass(3);
    await process.sweep();
    expect(applied).toEqual([]);
    pass(2);
    await process.sweep();
    expect(applied).toEqual([{ id: 'east', input: { type: 'switch_lost', next: west } }]);
  });

  it('an unreachable switch keeps its calls when any process has reached it again before they are ended: a new one may be among them', async () => {
    const process = open();
    await process.sweep();
    reachable = ['west'];
    refusedSince = now;
    pass(5);
    // The reader of events is connected, in whichever process; the connection for commands is not yet.
    beforeRead = () => contacts.reached('east');
    await process.sweep();
    expect(applied).toEqual([]);
  });

  it.each([0, 2.1])(
    'an unreachable switch keeps its calls while another process reaches it, %s s after the sweep of that one',
    async (secs) => {
      const [refused, connected] = [open(), open()];
      for (let i = 0; i < 5; i++) {
        reachable = ['east', 'west'];
        refusedSince = undefined;
        await connected.sweep();
        pass(secs);
        reachable = ['west'];
        refusedSince = new Date(now.getTime() - 60_000);
        await refused.sweep();
        pass(2.1 - secs);
      }
      expect(applied).toEqual([]);
    },
  );
});
