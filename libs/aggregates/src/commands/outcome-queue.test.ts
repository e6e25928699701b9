import { describe, expect, it } from '@jest/globals';
import { outcomeQueue } from './outcome-queue.ts';

const TRIES_MAX = 3;

/** A queue whose writes end on request or fail for some items. */
function queueWith(failsFor: (item: string) => Error | undefined = () => undefined) {
  const batches: string[][] = [];
  const first = Promise.withResolvers<void>();
  const queue = outcomeQueue<string>({
    async write(_id, items) {
      batches.push([...items]);
      if (batches.length === 1) await first.promise;
      for (const item of items) {
        const error = failsFor(item);
        if (error) throw error;
      }
    },
    isUnreachable: (error) => error instanceof Error && error.message === 'unreachable',
    isStopped: () => false,
    retryMs: 1,
    triesMax: TRIES_MAX,
  });
  return { queue, batches, releaseFirst: first.resolve };
}

describe('outcomes of one document', () => {
  it('that come during a write are written together by the next one', async () => {
    const { queue, batches, releaseFirst } = queueWith();
    const first = queue.add('doc', 'a');
    await Promise.resolve();
    const all = [first, ...['b', 'c'].map((item) => queue.add('doc', item))];
    releaseFirst();
    await Promise.all(all);
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('are written although the one before them cannot be', async () => {
    const { queue, releaseFirst } = queueWith((item) => (item === 'bad' ? new Error('too large') : undefined));
    const bad = queue.add('doc', 'bad');
    const failed = expect(bad).rejects.toThrow('too large');
    const good = queue.add('doc', 'good');
    releaseFirst();
    await good;
    await failed;
  });

  it('are written although one of the same write cannot be', async () => {
    const { queue, batches, releaseFirst } = queueWith((item) => (item === 'bad' ? new Error('too large') : undefined));
    const first = queue.add('doc', 'first');
    const failed = expect(queue.add('doc', 'bad')).rejects.toThrow('too large');
    const good = queue.add('doc', 'good');
    releaseFirst();
    await Promise.all([first, good, failed]);
    expect(batches.filter((batch) => batch.includes('bad'))).toHaveLength(1 + TRIES_MAX);
  });

  it('are repeated after a failure that passes', async () => {
    let failures = 0;
    const { queue, releaseFirst } = queueWith(() => (failures++ < 2 ? new Error('too many writers') : undefined));
    releaseFirst();
    await queue.add('doc', 'a');
  });

  it('are repeated for as long as the database is unreachable', async () => {
    let failures = 0;
    const { queue, releaseFirst } = queueWith(() => (failures++ < 10 ? new Error('unreachable') : undefined));
    releaseFirst();
    await Promise.all([queue.add('doc', 'a'), queue.add('doc', 'b')]);
  });

  it('do not wait for those of another', async () => {
    const { queue, releaseFirst } = queueWith();
    const hanging = queue.add('doc', 'a');
    await queue.add('other', 'b');
    releaseFirst();
    await hanging;
  });
});
