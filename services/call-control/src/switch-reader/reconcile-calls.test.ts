import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@parley/telemetry';
import { MongoNetworkError } from 'mongodb';
import type { Call } from '../calls/model/call.ts';
import type { CallInput } from '../calls/model/call-input.ts';
import { type ReconcileDeps, reconcileCalls, takeUnknownLegs } from './reconcile-calls.ts';
import type { SocketConnection } from '../switch/socket-client.ts';

const CORE = 'core';
const rows = ['leg-1', 'leg-2', 'leg-new'].map((uuid) => ({ uuid, callstate: 'ACTIVE', application: 'park' }));
const connection = {
  send: async (line: string) =>
    line.includes('show channels')
      ? { ok: true, text: JSON.stringify({ row_count: rows.length, rows }) }
      : { ok: true, text: JSON.stringify({ variable_app_call: 'cal_ended' }) },
} as unknown as SocketConnection;

function fixture(failure: unknown) {
  const applied: [string, CallInput['type']][] = [];
  const hungUp: string[] = [];
  const errors: unknown[] = [];
  const open = ['1', '2'].map((n) => ({
    id: `cal_${n}`,
    companyId: 'com_1',
    legIds: [`leg-${n}`],
    switch: { name: 'sw', coreUuid: CORE },
  }));
  const deps = {
    switch: {
      name: 'sw',
      async control(legId: string) {
        if (legId === 'leg-1') throw failure;
        hungUp.push(legId);
      },
    },
    calls: {
      async *openOn() {
        yield* open as unknown as Call[];
      },
      byLeg: async () => undefined,
    },
    legEvents: {
      async apply({ id }: { id: string }, { type }: CallInput) {
        if (id === 'cal_1') throw failure;
        applied.push([id, type]);
      },
    },
    log: { info() {}, error: (entry: { err: unknown }) => errors.push(entry.err) } as unknown as Logger,
  } as unknown as ReconcileDeps;
  return { deps, applied, hungUp, errors };
}

describe('reconciling calls with their switch', () => {
  it('goes on with the others when one of them fails', async () => {
    const failure = new Error('a defect of one call');
    const { deps, applied, hungUp, errors } = fixture(failure);
    expect(await reconcileCalls(deps, connection, CORE)).toEqual(['leg-new']);
    expect(applied).toEqual([['cal_2', 'reconciled']]);
    await takeUnknownLegs(deps, connection, CORE, ['leg-1', 'leg-new']);
    expect(hungUp).toEqual(['leg-new']);
    expect(errors).toEqual([failure, failure]);
  });

  it('fails when the database cannot be reached, so that it is repeated', async () => {
    const failure = new MongoNetworkError('gone');
    const { deps } = fixture(failure);
    await expect(reconcileCalls(deps, connection, CORE)).rejects.toBe(failure);
  });
});
