import { trackBackgroundWork } from '@parley/clock';
import { startTelemetry } from '@parley/telemetry';
import { testMongo } from '@parley/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from 'mongodb';
import { openPositions } from './positions-store.ts';

const mongo = testMongo();
const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
afterAll(() => Promise.all([mongo.close(), telemetry.stop()]));

const open = (db: Db, name = 'a-b') => openPositions(db, name, trackBackgroundWork(), telemetry.log);
let db: Db;
let positions: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  db = mongo.database('positions');
  positions = await open(db);
});
afterEach(() => positions.stop());

const progress = async (line: string) => (await positions.read([line]))(line);

describe('stored positions', () => {
  it('are unknown until they are written, and kept per follower and line', async () => {
    expect(await progress('x')).toEqual({ position: { sequence: 0, ahead: [] }, failing: undefined, known: false });
    await positions.write([['x', { sequence: 2, ahead: [5] }]]);
    expect(await progress('x')).toEqual({ position: { sequence: 2, ahead: [5] }, failing: undefined, known: true });
    expect((await progress('y')).known).toBe(false);
    const other = await open(db, 'c-d');
    expect((await other.read(['x']))('x').known).toBe(false);
    await other.stop();
  });

  it('never go back, and lose nothing that another replica wrote', async () => {
    await positions.write([['x', { sequence: 5, ahead: [9] }]]);
    await positions.write([['x', { sequence: 3, ahead: [7] }]]);
    expect((await progress('x')).position).toEqual({ sequence: 5, ahead: [7, 9] });
    await positions.write([['x', { sequence: 6, ahead: [] }]]);
    expect((await progress('x')).position).toEqual({ sequence: 7, ahead: [9] });
  });

  it('come out the same, whichever replica writes first', async () => {
    const replicas = numbers(20).map((n) => ({ sequence: n % 4, ahead: [n + 10] }));
    await Promise.all(replicas.map((position) => positions.write([['x', position]])));
    expect((await progress('x')).position).toEqual({ sequence: 3, ahead: numbers(20).map((n) => n + 10) });
  });

  it('remember a failing event until it is passed', async () => {
    const failing = { sequence: 3, tries: 2, until: new Date(1000) };
    await positions.failed('x', failing);
    expect(await progress('x')).toEqual({ position: { sequence: 0, ahead: [] }, failing, known: true });
    await positions.write([['x', { sequence: 2, ahead: [] }]]);
    expect((await progress('x')).failing).toEqual(failing);
    await positions.write([['x', { sequence: 3, ahead: [] }]]);
    expect((await progress('x')).failing).toBeUndefined();
  });

  it('are forgotten when no event can come back any more', async () => {
    await positions.write([
      ['old', { sequence: 1, ahead: [] }],
      ['new', { sequence: 1, ahead: [] }],
    ]);
    const longAgo = new Date(Date.now() - 46 * 24 * 3600 * 1000);
    await db.collection('follower_positions').updateOne({ _id: 'a-b:old' as never }, { $set: { at: longAgo } });
    await positions.stop();
    positions = await open(db);
    await positions.stop();
    expect([(await progress('old')).known, (await progress('new')).known]).toEqual([false, true]);
  });
});

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}
