import { expect, it } from '@jest/globals';
import { contactEvent } from '../../test/start-follower.ts';
import { keysToRead, newQueue, setApplied } from './aggregate-queues.ts';
import { NOTHING_APPLIED } from './positions-store.ts';

const partition = 3;
const progress = { position: NOTHING_APPLIED, failing: undefined, behind: undefined, known: false };

/** A queue that was begun without its position and has applied its first event. */
function unreadQueue(unreadSince: number | undefined) {
  const queue = newQueue('a:contact', { companyId: 'com_1', service: 'directory', partition }, progress, unreadSince);
  setApplied(queue, 1);
  return queue;
}

function keysOf(
  sequences: readonly number[],
  {
    queue,
    nowMs = 0,
    partlyListed = [],
  }: { queue?: ReturnType<typeof newQueue>; nowMs?: number; partlyListed?: number[] } = {},
) {
  const events = sequences.map((sequence) => ({ event: contactEvent('a', sequence), partition }));
  const queues = new Map(queue ? [[queue.key, queue]] : []);
  return [...keysToRead(events, { queues, partlyListed: new Set(partlyListed), toleratesReplay: () => true, nowMs })];
}

it('no position is read of an aggregate whose first events arrive', () => {
  expect(keysOf([1, 2, 3])).toEqual([]);
});

it('no position is read of an aggregate whose first event was here a moment ago', () => {
  expect(keysOf([2], { queue: unreadQueue(0), nowMs: 1000 })).toEqual([]);
});

it.each([
  { what: 'its first event is missing', sequences: [2] },
  { what: 'an event between is missing', sequences: [1, 3] },
  { what: 'its first event was here long ago', sequences: [2], queue: unreadQueue(0), nowMs: 60_000 },
  { what: 'it may be behind', sequences: [1], partlyListed: [partition] },
])('a position is read if $what', ({ sequences, ...known }) => {
  expect(keysOf(sequences, known)).toEqual(['a:contact']);
});

it('a position that is known is not read again', () => {
  expect(keysOf([7], { queue: unreadQueue(undefined) })).toEqual([]);
});
