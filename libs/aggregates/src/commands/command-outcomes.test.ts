import { describe, expect, it } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { outcomeQueue } from './command-outcomes.ts';

const TRIES_MAX = 3;

/** A queue whose writes end on request or fail for some items. */
function queueWith(failsFor: (item: string) => Error | undefined = () => undefined) {
  const batches: string[][] = [];
  const first = Promise.withResolvers<void>();
  const write = outcomeQueue<{ aggregateId: string; item: string }>({
    async write(_id, outcomes) {
      const items = outcomes.map(({ item }) => item);
      batches.push(items);
      if (batches.length === 1) await first.promise;
      for (const item of items) {
        const error = failsFor(item);
        if (error) throw error;
      }
    },
    isStopped: () => false,
    retryMs: 1,
    triesMax: TRIES_MAX,
  });
  const add = (aggregateId: string, item: string) => write({ aggregateId, item });
  return { add, batches, releaseFirst: first.resolve };
}

describe('outcomes of one document', () => {
  it('outcomes of one document that come during a write are written together by the next one', async () => {
    const { add, batches, releaseFirst } = queueWith();
    const first = add('doc', 'a');
    await Promise.resolve();
    const all = [first, ...['b', 'c'].map((item) => add('doc', item))];
    releaseFirst();
    await Promise.all(all);
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('outcomes of one document are written although the one before them cannot be', async () => {
    const { add, releaseFirst } = queueWith((item) => (item === 'bad' ? new Error('too large') : undefined));
    const bad = add('doc', 'bad');
    const failed = expect(bad).rejects.toThrow('too large');
    const good = add('doc', 'good');
    releaseFirst();
    await good;
    await failed;
  });

  it('outcomes of one document are written although one of the same write cannot be', async () => {
    const { add, batches, releaseFirst } = queueWith((item) => (item === 'bad' ? new Error('too large') : undefined));
    const first = add('doc', 'first');
    const failed = expect(add('doc', 'bad')).rejects.toThrow('too large');
    const good = add('doc', 'good');
    releaseFirst();
    await Promise.all([first, good, failed]);
    expect(batches.filter((batch) => batch.includes('bad'))).toHaveLength(1 + TRIES_MAX);
  });

  it('outcomes of one document are repeated after a failure that passes', async () => {
    let failures = 0;
    const { add, releaseFirst } = queueWith(() => (failures++ < 2 ? new Error('too many writers') : undefined));
    releaseFirst();
    await add('doc', 'a');
  });

  it('outcomes of one document are repeated for as long as the database is unreachable', async () => {
    let failures = 0;
    const { add, releaseFirst } = queueWith(() => (failures++ < 10 ? new MongoNetworkError('unreachable') : undefined));
    releaseFirst();
    await Promise.all([add('doc', 'a'), add('doc', 'b')]);
  });

  it('outcomes of one document do not wait for those of another', async () => {
    const { add, releaseFirst } = queueWith();
    const hanging = add('doc', 'a');
    await add('other', 'b');
    releaseFirst();
    await hanging;
  });
});
