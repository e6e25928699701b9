import { trackBackgroundWork } from '@parley/clock';
import { batching } from '@parley/queues';
import { startTelemetry } from '@parley/telemetry';
import { testMongo } from '@parley/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from 'mongodb';
import { openPositions, type ProgressChange, type Position } from './positions-store.ts';

const mongo = testMongo();
const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
afterAll(() => Promise.all([mongo.close(), telemetry.stop()]));

const open = (db: Db, name = 'a-b') =>
  openPositions(db, name, trackBackgroundWork(), telemetry.log, batching.positions);
let db: Db;
let positions: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  db = mongo.database('positions');
  positions = await open(db);
});
afterEach(() => positions.stop());

const progress = async (key: string) => (await positions.read([key]))(key);
const save = (key: string, position: Position, more: Partial<ProgressChange> = {}) =>
  positions.save({ key, position, failing: undefined, behind: undefined, ...more });
const nothing = { failing: undefined, behind: undefined };

describe('stored positions', () => {
  it('stored positions are unknown until they are saved, and kept per follower and aggregate', async () => {
    expect(await progress('x')).toEqual({ position: { sequence: 0, ahead: [] }, ...nothing, known: false });
    await save('x', { sequence: 2, ahead: [5] });
    expect(await progress('x')).toEqual({ position: { sequence: 2, ahead: [5] }, ...nothing, known: true });
    expect((await progress('y')).known).toBe(false);
    const other = await open(db, 'c-d');
    expect((await other.read(['x']))('x').known).toBe(false);
    await other.stop();
  });

  it('stored positions never go back', async () => {
    await save('x', { sequence: 5, ahead: [] });
    await save('x', { sequence: 3, ahead: [] });
    expect((await progress('x')).position).toEqual({ sequence: 5, ahead: [] });
  });

  it('stored positions that were saved without being read keep what was ahead', async () => {
    await save('x', { sequence: 0, ahead: [2, 4] });
    await save('x', { sequence: 1, ahead: [] }, { isUnread: true });
    expect((await progress('x')).position).toEqual({ sequence: 2, ahead: [4] });
  });

  it('stored positions of many aggregates that are saved at once are all there', async () => {
    await Promise.all(numbers(50).map((n) => save(`x${n}`, { sequence: n, ahead: [] })));
    expect((await progress('x7')).position.sequence).toBe(7);
    expect((await progress('x50')).position.sequence).toBe(50);
  });

  it('stored positions keep a failing event until it is saved without one', async () => {
    const failing = { sequence: 3, tries: 2 };
    await save('x', { sequence: 2, ahead: [] }, { failing });
    expect((await progress('x')).failing).toEqual(failing);
    await save('x', { sequence: 3, ahead: [] });
    expect((await progress('x')).failing).toBeUndefined();
  });

  it('stored positions list the aggregates of a partition that are behind, the longest due first', async () => {
    const behind = (partition: number, resumeAt: number) => ({
      behind: { service: 'directory', partition, stream: 's', from: 7, resumeAt: new Date(resumeAt) },
    });
    const position = { sequence: 1, ahead: [] };
    await save('late:contact', position, behind(3, 2000));
    await save('early:contact', position, behind(3, 1000));
    await save('elsewhere:contact', position, behind(4, 1000));
    await save('done:contact', position, behind(3, 500));
    await save('done:contact', position);
    const found = await positions.behind(3);
    expect(found.map(({ key }) => key)).toEqual(['early:contact', 'late:contact']);
    expect(found[0]?.progress.behind).toEqual(behind(3, 1000).behind);
  });

  it('stored positions are deleted when no event can be republished any more', async () => {
    await save('old', { sequence: 1, ahead: [] });
    await save('new', { sequence: 1, ahead: [] });
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
