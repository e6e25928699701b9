import type { Clock } from '@parley/clock';
import { newId } from '@parley/ids';
import { digest } from '@parley/secrets';
import { collidedIndex, whileUnreachable } from '@parley/store';
import type { Collection, Db } from 'mongodb';

/** At most `max` within any `windowSecs`. */
export interface Limit {
  readonly max: number;
  readonly windowSecs: number;
}

interface StoredThrottle {
  _id: string;
  marks: { id: string; at: Date }[];
  expiresAt: Date;
}

export type Admission =
  | { readonly admitted: true; readonly key: string; readonly mark: string }
  | { readonly admitted: false; readonly retryAfterSecs: number };

/**
 * Attempts reach the database in another order than they took the time, and clocks of replicas differ a little: a mark may be
 * this far ahead. One that is further was left by a clock that has since gone back, and says nothing.
 */
const AHEAD_MS = 10_000;

/** Rolling limits, exact under any concurrency: each is one document, changed by one update. */
export interface Throttles {
  /** Counts an attempt, if there is room for one. */
  admit(what: readonly string[], limit: Limit): Promise<Admission>;
  /** An attempt that was rightful after all does not count. */
  withdraw(admission: Admission): Promise<void>;
  /** Forgets all attempts. */
  clear(what: readonly string[]): Promise<void>;
  readonly collection: Collection<StoredThrottle>;
}

export async function openThrottles(db: Db, clock: Clock): Promise<Throttles> {
  const collection = db.collection<StoredThrottle>('throttles');
  await collection.createIndex({ expiresAt: 1 }, { name: 'expiry' });
  // Addresses of people and machines are not kept, only what recognises them.
  const keyOf = (what: readonly string[]) => digest(JSON.stringify(what));

  async function admit(what: readonly string[], { max, windowSecs }: Limit): Promise<Admission> {
    const key = keyOf(what);
    const now = clock.now();
    const mark = newId('mark');
    const since = new Date(now.getTime() - windowSecs * 1000);
    const soon = new Date(now.getTime() + AHEAD_MS);
    const update = [
      {
        $set: {
          marks: {
            $filter: {
              input: { $ifNull: ['$marks', []] },
              cond: { $and: [{ $gt: ['$$this.at', since] }, { $lte: ['$$this.at', soon] }] },
            },
          },
        },
      },
      {
        $set: {
          marks: {
            $cond: [
              { $lt: [{ $size: '$marks' }, max] },
              { $concatArrays: ['$marks', [{ id: mark, at: now }]] },
              '$marks',
            ],
          },
          expiresAt: new Date(now.getTime() + windowSecs * 1000),
        },
      },
    ];
    const after = await retried(() =>
      collection.findOneAndUpdate({ _id: key }, update, { upsert: true, returnDocument: 'after' }),
    );
    const marks = after?.marks ?? [];
    if (marks.some(({ id }) => id === mark)) return { admitted: true, key, mark };
    const oldest = marks[0]?.at ?? now;
    const waitMs = oldest.getTime() + windowSecs * 1000 - now.getTime();
    return { admitted: false, retryAfterSecs: Math.max(1, Math.ceil(waitMs / 1000)) };
  }

  return {
    collection,
    admit,
    async withdraw(admission) {
      if (!admission.admitted) return;
      const { key, mark } = admission;
      await whileUnreachable(() => collection.updateOne({ _id: key }, { $pull: { marks: { id: mark } } }));
    },
    async clear(what) {
      await whileUnreachable(() => collection.deleteOne({ _id: keyOf(what) }));
    },
  };
}

/** Two first attempts in the same moment both insert; the one that lost updates what the other one inserted. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (collidedIndex(error) === undefined) throw error;
    return work();
  }
}
