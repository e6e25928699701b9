import { describe, expect, it } from '@jest/globals';
import type { CommandEntry } from '../stored/bookkeeping.ts';
import type { LeasedCommand } from './command-places.ts';
import type { AnyHandler } from './command-handlers.ts';
import { commandPlaces } from './command-places.ts';

const MAY_WAIT_MS = 60_000;
const handler: AnyHandler = {
  guarantee: 'until_confirmed',
  execute: async () => {},
  isLong: ({ kind }) => kind === 'long',
  mayWaitMs: () => MAY_WAIT_MS,
};

/** Three places, in which nothing ends before `endOne`. */
function threePlaces() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const places = commandPlaces({
    handlers: { long: handler, short: { ...handler, isLong: () => false } },
    concurrency: 3,
    run: ({ aggregateId }) => {
      begun.push(aggregateId);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  const add = (kind: 'long' | 'short', id: string, waitedMs = 0) => {
    const entry = { kind, createdAt: new Date(Date.now() - waitedMs) } as unknown as CommandEntry;
    places.add([{ aggregateId: id, companyId: 'com_1', entry } as LeasedCommand]);
  };
  const endOne = async () => {
    ends.shift()?.();
    // The place is free once the promise of its work has been handled.
    await new Promise(setImmediate);
  };
  for (const id of ['s1', 's2', 's3']) add('short', id);
  return { begun, add, endOne };
}

describe('the places of commands', () => {
  it('the places of commands are those of short commands first', async () => {
    const { begun, add, endOne } = threePlaces();
    add('long', 'long');
    add('short', 's4');
    await endOne();
    await endOne();
    expect(begun.slice(3)).toEqual(['s4', 'long']);
  });

  it('the places of commands include one for a long command that has waited as long as it may, however many short ones come', async () => {
    const { begun, add, endOne } = threePlaces();
    for (let index = 4; index < 20; index++) add('short', `s${index}`);
    add('long', 'late', 2 * MAY_WAIT_MS);
    add('long', 'later', 2 * MAY_WAIT_MS);
    for (let round = 0; round < 3; round++) await endOne();
    expect(begun.slice(3)).toEqual(['late', 's4', 's5']);
  });
});
