import { waitUntil } from '@parley/testkit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { byAggregate, contactEvent, type FollowerTest, startFollowerTest } from '../../test/start-follower.ts';
import type { BatchHandler } from '../applying/event-handlers.ts';

let fixture: FollowerTest;
beforeEach(async () => void (fixture = await startFollowerTest()));
afterEach(() => fixture.end());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const aggregates = ['a', 'b', 'c', 'd', 'e'];
const events = aggregates.flatMap((id) => numbers(3).map((sequence) => contactEvent(id, sequence)));
const batching = { waitMs: 100, frequentMs: Infinity };

/** Follows contacts in batches; `handle` gets `<aggregate> <sequence>` of each event. */
const followInBatches = (
  batchPer: BatchHandler['batchPer'],
  handle: (batch: readonly string[]) => void,
  options: Parameters<FollowerTest['follow']>[0] = {},
) =>
  fixture.follow({
    batching,
    ...options,
    handlers: {
      types: ['directory.contact.created', 'directory.contact.updated'],
      batchPer,
      handleBatch: async (batch) => handle(batch.map(({ event }) => `${event.aggregateId} ${event.aggregateSequence}`)),
    },
  });

describe('a follower that handles events in batches', () => {
  it('a follower that handles events in batches handles what was published before in few calls, in order within each aggregate, and each event once', async () => {
    await fixture.publish(...events, ...events);
    const seen: string[] = [];
    let calls = 0;
    await followInBatches('follower', (batch) => {
      seen.push(...batch);
      calls += 1;
    });
    await waitUntil(() => seen.length === events.length, { what: 'all events' });
    expect(calls).toBeLessThan(events.length / 2);
    await fixture.publish(contactEvent('a', 4), contactEvent('b', 4));
    await waitUntil(() => seen.length === events.length + 2, { what: 'the next events' });
    const lasts = aggregates.map((id) => [id, numbers(id < 'c' ? 4 : 3)] as const);
    expect(byAggregate(seen)).toEqual(Object.fromEntries(lasts));
  });

  it('a follower that handles events in batches applies each event alone when that fails, and one that fails again delays only its aggregate', async () => {
    await fixture.publish(...events);
    let isMended = false;
    const seen: string[] = [];
    const { follower } = await followInBatches('follower', (batch) => {
      if (!isMended && batch.some((one) => one.startsWith('c'))) throw new Error('not this one');
      seen.push(...batch);
    });
    await waitUntil(() => seen.length === 12, { what: 'the events of the others' });
    expect(byAggregate(seen)).toEqual(
      Object.fromEntries(aggregates.filter((id) => id !== 'c').map((id) => [id, numbers(3)])),
    );
    isMended = true;
    await waitUntil(() => seen.length === 15, { what: 'those of the one that failed' });
    expect(byAggregate(seen)['c']).toEqual(numbers(3));
    expect(await follower.deadLetters.list(1)).toEqual([]);
  });

  it('a follower that handles events in batches lets events wait for a missing one, without holding up others', async () => {
    const seen: string[] = [];
    await followInBatches('follower', (batch) => void seen.push(...batch), { gapWaitMs: 60_000 });
    await fixture.publish(contactEvent('a', 2), contactEvent('a', 3), contactEvent('b', 1), contactEvent('b', 2));
    await waitUntil(() => seen.includes('b 2'), { what: 'the other aggregate' });
    expect(byAggregate(seen)).toEqual({ b: numbers(2) });
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(() => seen.length === 5, { what: 'the ones behind it' });
    expect(byAggregate(seen)['a']).toEqual(numbers(3));
  });
});

describe('a follower without positions', () => {
  const positions = () => fixture.db.collection<{ _id: string }>('follower_positions').find().toArray();

  it('a follower without positions applies what arrives, and stores no positions', async () => {
    await fixture.publish(...events, contactEvent('f', 7));
    const seen: string[] = [];
    await followInBatches('follower', (batch) => void seen.push(...batch), { withoutPositions: true });
    await waitUntil(() => seen.length === events.length + 1, { what: 'all events' });
    expect(await positions()).toEqual([]);
  });

  it('a follower without positions applies each event alone when a batch fails, and keeps the positions of these', async () => {
    await fixture.publish(...events);
    const seen: string[] = [];
    const { follower } = await followInBatches(
      'follower',
      (batch) => {
        if (batch.includes('c 2')) throw new Error('not this one');
        seen.push(...batch);
      },
      { withoutPositions: true, triesMax: 1 },
    );
    await waitUntil(() => seen.length === events.length - 1, { what: 'the others' });
    expect((await follower.deadLetters.list(10)).map(({ type }) => type)).toEqual(['directory.contact.updated']);
    await waitUntil(async () => (await positions()).length === aggregates.length, { what: 'their positions' });
  });

  it('a follower without positions tries the same events again while the database cannot be reached', async () => {
    await fixture.publish(...events);
    let calls = 0;
    const seen: string[] = [];
    await followInBatches(
      'follower',
      (batch) => {
        calls += 1;
        if (calls === 1) throw Object.assign(new Error('no server'), { code: 'ECONNREFUSED' });
        seen.push(...batch);
      },
      { withoutPositions: true },
    );
    await waitUntil(() => seen.length === events.length, { what: 'all events' });
    expect(await positions()).toEqual([]);
  });
});

describe('a follower that handles the events of one aggregate in batches', () => {
  it('a follower that handles the events of one aggregate in batches never mixes aggregates, keeps the order, and does not wait for irrelevant events', async () => {
    await fixture.publish(...events);
    const calls: (readonly string[])[] = [];
    await followInBatches('aggregate', (batch) => void calls.push(batch), {
      relevant: async (some) => some.map(({ aggregateSequence }) => aggregateSequence !== 2),
    });
    await waitUntil(() => calls.flat().length === 10, { what: 'the relevant events' });
    for (const call of calls) expect(Object.keys(byAggregate(call))).toHaveLength(1);
    expect(byAggregate(calls.flat())).toEqual(Object.fromEntries(aggregates.map((id) => [id, [1, 3]])));
    expect(calls.some((call) => call.length === 2)).toBe(true);
  });

  it('a follower that handles the events of one aggregate in batches applies each alone when that fails, in order', async () => {
    await fixture.publish(...events);
    const seen: string[] = [];
    await followInBatches('aggregate', (batch) => {
      if (batch.length > 1) throw new Error('not in a batch');
      seen.push(...batch);
    });
    await waitUntil(() => seen.length === events.length, { what: 'all events' });
    expect(byAggregate(seen)).toEqual(Object.fromEntries(aggregates.map((id) => [id, numbers(3)])));
  });
});
