import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { movableClock, systemClock, trackBackgroundWork } from '@parley/clock';
import { Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import { idleRelay } from '@parley/outbox/idle-relay';
import { createLog } from '@parley/telemetry';
import { testMongo, waitUntil } from '@parley/testkit';
import { hearFacts } from './presence.ts';
import { openPresences, type Presences } from './presence-store.ts';
import { startPresenceExpiry } from './start-presence-expiry.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const LEASE_MS = 20_000;
const relay = idleRelay();
const facts = { companyId: 'com_1', doNotDisturb: false, invitationPending: false };

let presences: Presences;
let machineClock: ReturnType<typeof movableClock>;
let employeeId: string;

beforeEach(async () => {
  machineClock = movableClock(systemClock);
  const db = mongo.database('presence');
  presences = await openPresences({ db, relay, clock: systemClock, machineClock, leaseMs: LEASE_MS });
  employeeId = newId('emp');
  await presences.change(employeeId, (current, now) => hearFacts(current, facts, now), facts);
});

const status = async () => (await presences.get(employeeId))?.status;
const conversation = { kind: 'conversation', id: 'call_1' } as const;
const ringOffer = { kind: 'ring_offer', id: 'call_2' } as const;

describe('what calls say about an employee', () => {
  it('is ringing, then on a call, then nothing', async () => {
    expect((await presences.hold(employeeId, ringOffer)).status).toBe('ringing');
    expect((await presences.hold(employeeId, conversation)).status).toBe('on_call');
    expect((await presences.release(employeeId, conversation))?.status).toBe('ringing');
    expect((await presences.release(employeeId, ringOffer))?.status).toBe('logged_out');
  });

  it('lasts as long as it is renewed, and ends with the lease when its owner is gone', async () => {
    const expiry = startPresenceExpiry({
      presences,
      machineClock,
      backgroundWork: trackBackgroundWork(),
      log: createLog({ service: 'test', level: 'silent' }),
    });
    try {
      await presences.hold(employeeId, conversation);
      machineClock.setOffsetMs(15_000);
      expect(await presences.renew([{ employeeId, ...conversation }])).toEqual([]);
      machineClock.setOffsetMs(25_000);
      expiry.nudge();
      await waitUntil(async () => (await presences.get(employeeId))?.due?.waitMs !== LEASE_MS, { what: 'a new plan' });
      expect(await status()).toBe('on_call');
      machineClock.setOffsetMs(36_000);
      await waitUntil(async () => (await status()) === 'logged_out', { what: 'the end of the lease' });
      expect(await presences.renew([{ employeeId, ...conversation }])).toHaveLength(1);
    } finally {
      await expiry.stop();
    }
  });

  it('about nobody is refused', async () => {
    await expect(presences.hold('emp_none', conversation)).rejects.toThrow(Refused);
    expect(await presences.release('emp_none', conversation)).toBeUndefined();
  });

  it('by many at once is all kept', async () => {
    const calls = Array.from({ length: 20 }, (_, index) => ({ kind: 'conversation' as const, id: `call_${index}` }));
    await Promise.all(calls.map((call) => presences.hold(employeeId, call)));
    expect((await presences.get(employeeId))?.holds).toHaveLength(20);
    await Promise.all([
      ...calls.slice(1).map((call) => presences.release(employeeId, call)),
      presences.renew([{ employeeId, kind: 'conversation', id: 'call_0' }]),
    ]);
    expect((await presences.get(employeeId))?.holds.map(({ id }) => id)).toEqual(['call_0']);
  });
});
