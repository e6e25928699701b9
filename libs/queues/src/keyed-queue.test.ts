import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { keyedQueue } from './queues.ts';

const RUN_MAX_MS = 2000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Work that records its start and ends on request. */
function controlled() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = keyedQueue(RUN_MAX_MS);
  return {
    queue,
    begun,
    ask: (key: string, name: string) =>
      queue.run(key, () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await jest.advanceTimersByTimeAsync(0);
    },
  };
}

describe('queued work', () => {
  it('queued work starts immediately when its key is free, and returns its result', async () => {
    const { begun, ask, end } = controlled();
    const work = ask('a', 'first');
    expect(begun).toEqual(['first']);
    await end('first');
    expect(await work).toBe('first');
  });

  it('queued work of one key runs sequentially, in the order it was added', async () => {
    const { begun, ask, end } = controlled();
    const names = ['first', 'second', 'third'];
    const all = Promise.all(names.map((name) => ask('a', name)));
    for (const [index, name] of names.entries()) {
      expect(begun).toEqual(names.slice(0, index + 1));
      await end(name);
    }
    expect(await all).toEqual(names);
  });

  it('queued work on other keys does not wait', async () => {
    const { begun, ask } = controlled();
    for (const key of ['a', 'b', 'c']) void ask(key, key);
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  it('queued work keeps its place among those that come while it waits', async () => {
    const { begun, ask, end } = controlled();
    void ask('a', 'first');
    void ask('a', 'second');
    await end('first');
    void ask('a', 'third');
    expect(begun).toEqual(['first', 'second']);
    await end('second');
    expect(begun).toEqual(['first', 'second', 'third']);
  });

  it('queued work that fails rejects, and the next one starts', async () => {
    const queue = keyedQueue(RUN_MAX_MS);
    const outcomes = await Promise.allSettled([
      queue.run('a', () => Promise.reject(new Error('no'))),
      queue.run('a', () => {
        throw new Error('never');
      }),
      queue.run('a', async () => 'done'),
    ]);
    expect(outcomes).toEqual([
      { status: 'rejected', reason: new Error('no') },
      { status: 'rejected', reason: new Error('never') },
      { status: 'fulfilled', value: 'done' },
    ]);
  });

  it('queued work that hangs delays the next one for a limited time', async () => {
    const { begun, ask, end } = controlled();
    for (const name of ['hangs', 'second', 'third']) void ask('a', name);
    await jest.advanceTimersByTimeAsync(RUN_MAX_MS - 1);
    expect(begun).toEqual(['hangs']);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(['hangs', 'second']);
    await end('second');
    expect(begun).toEqual(['hangs', 'second', 'third']);
    await end('third');
    void ask('a', 'later');
    expect(begun).toEqual(['hangs', 'second', 'third', 'later']);
  });

  it('queued work never runs concurrently, although many wait for long', async () => {
    const queue = keyedQueue(RUN_MAX_MS);
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      running -= 1;
    };
    const all = Promise.all(Array.from({ length: 100 }, () => queue.run('a', work)));
    await jest.advanceTimersByTimeAsync(100 * 100);
    await all;
    expect(most).toBe(1);
  });

  it('queued work leaves nothing behind: no key, no timer', async () => {
    const queue = keyedQueue(RUN_MAX_MS);
    const keys = Array.from({ length: 100 }, (_, index) => `key ${index % 10}`);
    const all = keys.map((key, index) =>
      queue.run(key, () => (index % 3 === 0 ? Promise.reject(new Error('no')) : Promise.resolve())),
    );
    expect(queue.size()).toBe(10);
    await Promise.allSettled(all);
    expect([queue.size(), jest.getTimerCount()]).toEqual([0, 0]);
  });
});
