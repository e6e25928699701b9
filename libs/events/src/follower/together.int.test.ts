import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { byAggregate, contactEvent, type FollowerTest, startFollowerTest } from '../../test/start-follower.ts';
import type { DecodedEvent } from './event-handler.ts';

let fixture: FollowerTest;
beforeEach(async () => void (fixture = await startFollowerTest()));
afterEach(() => fixture.end());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const entry = ({ event }: DecodedEvent) => `${event.aggregateId} ${event.aggregateSequence}`;
const aggregates = ['a', 'b', 'c', 'd', 'e'];
const events = aggregates.flatMap((id) => numbers(3).map((sequence) => contactEvent(id, sequence)));

describe('a follower that handles events together', () => {
  it('handles what was published before in few calls, in order within each aggregate, and each event once', async () => {
    await fixture.publish(...events, ...events);
    const seen: string[] = [];
    let calls = 0;
    const see = (...some: string[]) => {
      seen.push(...some);
      calls += 1;
    };
    await fixture.follow({
      waitMs: 100,
      handleTogether: async (together) => see(...together.map(entry)),
      onEvent: ({ aggregateId, aggregateSequence }) => see(`${aggregateId} ${aggregateSequence}`),
    });
    await waitUntil(() => seen.length === events.length, { what: 'all events' });
    expect(calls).toBeLessThan(events.length / 2);
    await fixture.publish(contactEvent('a', 4), contactEvent('b', 4));
    await waitUntil(() => seen.length === events.length + 2, { what: 'the next events' });
    const lasts = aggregates.map((id) => [id, numbers(id < 'c' ? 4 : 3)] as const);
    expect(byAggregate(seen)).toEqual(Object.fromEntries(lasts));
  });

  it('applies each event alone when that fails, and one that fails again delays only its aggregate', async () => {
    await fixture.publish(...events);
    let isMended = false;
    const { applied, follower } = await fixture.follow({
      waitMs: 100,
      handleTogether: async (together) => {
        if (!isMended && together.some(({ event }) => event.aggregateId === 'c')) throw new Error('not together');
      },
      onEvent: ({ aggregateId }) => {
        if (!isMended && aggregateId === 'c') throw new Error('not this one');
      },
    });
    await waitUntil(() => applied.length === 12, { what: 'the events of the others' });
    expect(byAggregate(applied)).toEqual(
      Object.fromEntries(aggregates.filter((id) => id !== 'c').map((id) => [id, numbers(3)])),
    );
    isMended = true;
    await waitUntil(() => applied.length === 15, { what: 'those of the one that failed' });
    expect(byAggregate(applied)['c']).toEqual(numbers(3));
    expect(await follower.deadLetters.list(1)).toEqual([]);
  });

  it('lets events wait for a missing one, without holding up others', async () => {
    const seen: string[] = [];
    await fixture.follow({
      gapWaitMs: 60_000,
      waitMs: 100,
      handleTogether: async (some) => void seen.push(...some.map(entry)),
      onEvent: ({ aggregateId, aggregateSequence }) => void seen.push(`${aggregateId} ${aggregateSequence}`),
    });
    await fixture.publish(contactEvent('a', 2), contactEvent('a', 3), contactEvent('b', 1), contactEvent('b', 2));
    await waitUntil(() => seen.includes('b 2'), { what: 'the other aggregate' });
    expect(byAggregate(seen)).toEqual({ b: numbers(2) });
    await fixture.publish(contactEvent('a', 1));
    await waitUntil(() => seen.length === 5, { what: 'the ones behind it' });
    expect(byAggregate(seen)['a']).toEqual(numbers(3));
  });
});

describe('a follower that handles the events of one aggregate together', () => {
  it('never mixes aggregates, keeps the order, and does not wait for irrelevant events', async () => {
    await fixture.publish(...events);
    const calls: string[][] = [];
    await fixture.follow({
      waitMs: 100,
      togetherOf: 'aggregate',
      relevant: async (some) => some.map(({ aggregateSequence }) => aggregateSequence !== 2),
      handleTogether: async (some) => void calls.push(some.map(entry)),
      onEvent: ({ aggregateId, aggregateSequence }) => void calls.push([`${aggregateId} ${aggregateSequence}`]),
    });
    await waitUntil(() => calls.flat().length === 10, { what: 'the relevant events' });
    for (const call of calls) expect(Object.keys(byAggregate(call))).toHaveLength(1);
    expect(byAggregate(calls.flat())).toEqual(Object.fromEntries(aggregates.map((id) => [id, [1, 3]])));
    expect(calls.some((call) => call.length === 2)).toBe(true);
  });

  it('applies each alone when that fails, in order', async () => {
    await fixture.publish(...events);
    const { applied } = await fixture.follow({
      waitMs: 100,
      togetherOf: 'aggregate',
      handleTogether: () => Promise.reject(new Error('not together')),
    });
    await waitUntil(() => applied.length === events.length, { what: 'all events' });
    expect(byAggregate(applied)).toEqual(Object.fromEntries(aggregates.map((id) => [id, numbers(3)])));
  });
});
