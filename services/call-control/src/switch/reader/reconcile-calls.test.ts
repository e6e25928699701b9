import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@parley/telemetry';
import { MongoNetworkError } from 'mongodb';
import type { Call } from '../../calls/model/call.ts';
import type { CallInput } from '../../calls/model/call-input.ts';
import { ada, inbound, transfer } from '../../../test/test-call.ts';
import type { SocketConnection } from '../connection/socket-client.ts';
import { readLegs } from '../connection/switch-state.ts';
import { type ReconcileDeps, reconcileCalls, takeUnknownLegs } from './reconcile-calls.ts';
import { endMissingLegs } from './watch-calls.ts';

const CORE = 'core-1';
const now = new Date('2026-03-02T10:00:00Z');
const nothing = new Set<string>();
/** What the switch tells about a caller whom nobody has taken. */
const ARRIVED = {
  'Call-Direction': 'inbound',
  'Caller-Caller-ID-Number': '+4520304050',
  'Caller-Destination-Number': '+4589880000',
};

/** A switch that lists the legs of before and has some of them, and two calls that wait for an employee. */
function fixture({ listed = ['leg-1', 'leg-2'], has = listed, failure }: Switch = {}) {
  const applied: [string, CallInput][] = [];
  const hungUp: string[] = [];
  const errors: unknown[] = [];
  const asked: string[] = [];
  const repaired: number[] = [];
  const open = ['1', '2'].map((n) => {
    const { call } = inbound(transfer(ada));
    const legs = call.legs.map((leg) => ({ ...leg, id: `leg-${n}`, status: 'answered' as const }));
    const customerLegId = `leg-${n}`;
    return { ...call, id: `cal_${n}`, legs, legIds: [customerLegId], customerLegId } as Call;
  });
  const connection = {
    isOpen: true,
    async send(line: string) {
      asked.push(line);
      if (line.includes('uuid_dump leg-waiting')) return { ok: true, text: JSON.stringify(ARRIVED) };
      const rows = listed.map((uuid) => ({ uuid, callstate: 'ACTIVE', application: 'playback' }));
      if (line.includes('show channels')) return { ok: true, text: JSON.stringify({ row_count: rows.length, rows }) };
      if (line.includes('uuid_exists')) return { ok: true, text: String(has.includes(line.split(' ')[2]!)) };
      return { ok: true, text: JSON.stringify({ variable_app_call: 'cal_ended' }) };
    },
  } as unknown as SocketConnection;
  const deps = {
    switch: {
      name: 'one',
      async control(legId: string) {
        if (legId === 'leg-1') throw failure ?? new Error('not expected');
        hungUp.push(legId);
      },
    },
    calls: {
      async *openOn() {
        yield* open;
      },
      openLegsOn: async () => open.flatMap(({ legIds }) => legIds),
      byLeg: async (legId: string) => open.find(({ legIds }) => legIds.includes(legId)),
    },
    legEvents: {
      handled: 0,
      async apply({ id }: { id: string }, input: CallInput) {
        if (id === 'cal_1' && failure) throw failure;
        applied.push([id, input]);
      },
    },
    clock: { now: () => now },
    onRepaired: (legs: number) => repaired.push(legs),
    log: { info() {}, warn() {}, error: (entry: { err: unknown }) => errors.push(entry.err) } as unknown as Logger,
  } as unknown as ReconcileDeps & Parameters<typeof endMissingLegs>[0];
  const reconcile = async () => reconcileCalls(deps, connection, CORE, await readLegs(connection));
  return { deps, connection, reconcile, open, applied, hungUp, errors, asked, repaired };
}
interface Switch {
  readonly listed?: string[];
  readonly has?: string[];
  readonly failure?: Error;
}

describe('reconciling calls with their switch', () => {
  it('reconciling calls with their switch goes on with the others when one of them fails', async () => {
    const failure = new Error('a defect of one call');
    const { deps, connection, reconcile, applied, hungUp, errors } = fixture({
      listed: ['leg-1', 'leg-2', 'leg-new'],
      has: ['leg-new'],
      failure,
    });
    await reconcile();
    expect(applied.map(([id]) => id)).toEqual(['cal_2']);
    await takeUnknownLegs(deps, connection, CORE, await readLegs(connection));
    expect(hungUp).toEqual(['leg-new']);
    expect(errors).toEqual([failure]);
  });

  it('reconciling calls with their switch fails when the database cannot be reached, so that it is repeated', async () => {
    const failure = new MongoNetworkError('gone');
    await expect(fixture({ has: [], failure }).reconcile()).rejects.toBe(failure);
  });

  it('reconciling calls with their switch does not believe a list that still has a leg which has ended', async () => {
    const { reconcile, applied } = fixture({ has: ['leg-2'] });
    await reconcile();
    expect(applied).toMatchObject([['cal_1', { type: 'reconciled', gone: ['leg-1'] }]]);
  });

  it('reconciling calls with their switch does not believe a list that does not have a new leg yet', async () => {
    const { reconcile, applied } = fixture({ listed: [], has: ['leg-1', 'leg-2'] });
    await reconcile();
    expect(applied).toEqual([]);
  });

  it('reconciling calls with their switch keeps callers whose process ended before it had them answered', async () => {
    const { reconcile, asked, open } = fixture();
    const [first] = open;
    open[0] = { ...first!, legs: first!.legs.map((leg) => ({ ...leg, status: 'dialing' as const })) };
    await reconcile();
    expect(asked.filter((line) => line.includes('sched_del'))).toEqual(['api sched_del leg-1']);
  });

  it('reconciling calls with their switch finds the answer of a phone whose process ended before it stored that the phone was rung', async () => {
    const { reconcile, applied, open } = fixture({ listed: ['leg-1', 'leg-2', 'leg-ada'] });
    const [first] = open;
    const ordered = { ...first!.legs[0]!, id: 'leg-ada', status: 'ordered' as const };
    open[0] = { ...first!, legs: [...first!.legs, ordered, { ...ordered, id: 'leg-not-created' }] };
    await reconcile();
    expect(applied).toMatchObject([['cal_1', { legs: [{ legId: 'leg-1' }, { legId: 'leg-ada', isAnswered: true }] }]]);
    expect(applied).toMatchObject([['cal_1', { gone: [] }]]);
  });

  it('reconciling calls with their switch writes nothing of a call in which nothing happened; that its caller was answered is not stored', async () => {
    const { reconcile, applied, open } = fixture();
    const [first] = open;
    open[0] = { ...first!, legs: first!.legs.map((leg) => ({ ...leg, status: 'dialing' as const })) };
    await reconcile();
    expect(applied).toEqual([]);
  });
});

describe('callers who arrived while no process read the switch', () => {
  const listed = Array.from({ length: 40 }, (_, n) => `leg-waiting-${n}`);

  it('callers who arrived while no process read the switch are kept from being released as busy before the first of them is served', async () => {
    const { deps, connection, asked } = fixture({ listed });
    const releasable: number[] = [];
    const handle = async () => void releasable.push(40 - asked.filter((line) => line.includes('sched_del')).length);
    await takeUnknownLegs(
      { ...deps, legEvents: { ...deps.legEvents, handle } },
      connection,
      CORE,
      await readLegs(connection),
    );
    expect(releasable).toEqual(listed.map(() => 0));
  });

  it('callers who arrived while no process read the switch are released as busy when they cannot be served, and the others are served', async () => {
    const { deps, connection, hungUp } = fixture({ listed });
    const served: string[] = [];
    const handle = async ({ legId }: { legId: string }) => {
      if (legId === 'leg-waiting-3') throw new Error('no route');
      served.push(legId);
    };
    await takeUnknownLegs(
      { ...deps, legEvents: { ...deps.legEvents, handle } },
      connection,
      CORE,
      await readLegs(connection),
    );
    expect([served.length, hungUp]).toEqual([39, ['leg-waiting-3']]);
  });

  it('callers who arrived while no process read the switch are left to the process that reads it now once the connection has ended', async () => {
    const { deps, connection } = fixture({ listed });
    const served: string[] = [];
    const handle = async ({ legId }: { legId: string }) => {
      served.push(legId);
      (connection as { isOpen: boolean }).isOpen = false;
    };
    await takeUnknownLegs(
      { ...deps, legEvents: { ...deps.legEvents, handle } },
      connection,
      CORE,
      await readLegs(connection),
    );
    expect(served).toEqual(['leg-waiting-0']);
  });
});

describe('looking for the legs of open calls', () => {
  it('looking for the legs of open calls ends a leg that is missing twice, and counts it', async () => {
    const { deps, connection, applied, repaired } = fixture({ has: ['leg-2'] });
    const first = await endMissingLegs(deps, connection, nothing);
    expect([applied, repaired]).toEqual([[], []]);
    await endMissingLegs(deps, connection, first.missing);
    expect(applied).toEqual([['cal_1', { type: 'reconciled', legs: [], gone: ['leg-1'] }]]);
    expect(repaired).toEqual([1]);
  });

  it('looking for the legs of open calls goes on with the others when the end of one cannot be stored', async () => {
    const { deps, connection, applied, repaired } = fixture({ has: [], failure: new Error('a defect of one call') });
    await endMissingLegs(deps, connection, new Set(['leg-1', 'leg-2']));
    expect(applied).toEqual([['cal_2', { type: 'reconciled', legs: [], gone: ['leg-2'] }]]);
    expect(repaired).toEqual([1]);
  });

  it('looking for the legs of open calls asks the switch for nothing while no call is open', async () => {
    const { deps, connection, asked, open } = fixture();
    open.length = 0;
    expect(await endMissingLegs(deps, connection, nothing)).toEqual({ missing: nothing, isIdle: true });
    expect(asked).toEqual([]);
  });
});
