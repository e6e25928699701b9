import { describe, expect, it } from '@jest/globals';
import { recentUpdates } from './updates.ts';

function start() {
  let now = 0;
  const updates = recentUpdates(() => now);
  return { updates, pass: (ms: number) => (now += ms) };
}

describe('recent updates', () => {
  it('recent updates tell of a company that nothing has changed in a time, and of no other', () => {
    const { updates, pass } = start();
    pass(10_000);
    updates.add('a');
    pass(1000);
    expect(updates.isQuiet('a', 999)).toBe(true);
    expect(updates.isQuiet('a', 1000)).toBe(false);
    expect(updates.isQuiet('b', 1000)).toBe(true);
    pass(1000);
    updates.add('b');
    updates.add('a');
    expect(updates.isQuiet('a', 999)).toBe(false);
  });

  it('recent updates do not tell that nothing has changed in a time in which updates may have been missed', () => {
    const { updates, pass } = start();
    pass(1000);
    expect(updates.isQuiet('a', 1000)).toBe(false);
    expect(updates.isQuiet('a', 999)).toBe(true);
    updates.reset();
    pass(500);
    expect(updates.isQuiet('a', 999)).toBe(false);
  });

  it('recent updates do not tell that nothing has changed in a time that is longer than they are kept', () => {
    const { updates, pass } = start();
    pass(100_000);
    updates.add('a');
    pass(40_000);
    updates.add('b');
    expect(updates.isQuiet('a', 29_000)).toBe(true);
    expect(updates.isQuiet('a', 39_000)).toBe(false);
  });
});
