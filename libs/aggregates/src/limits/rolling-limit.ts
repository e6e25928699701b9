import type { Clock } from '@parley/clock';
import { newId } from '@parley/ids';
import type { Collection, Db } from 'mongodb';
import { collidedIndex } from '@parley/mongo';

/** One limited thing: when it was done within the window. */
interface RollingLimitDocument {
  _id: string;
  marks: { id: string; at: Date }[];
  /** After this nothing in it counts any more. */
  expiresAt: Date;
}

/** At most `max` within any stretch of time of this length. */
export interface Limit {
  readonly max: number;
  readonly windowMs: number;
}

export type LimitOutcome =
  | { readonly taken: true; readonly key: string; readonly mark: string }
  | { readonly taken: false; readonly retryAfterMs: number };

/** The options of `startExpirySweep` for outdated documents. */
interface Expiring {
  readonly collection: Collection<RollingLimitDocument>;
  readonly expired: () => { expiresAt: { $lt: Date } };
}

/** Rolling limits by key, each with its own maximum. */
export interface RollingLimits extends Expiring {
  /**
   * Counts one more for `key` if the limit allows it; otherwise nothing is counted. An `id` is counted once,
   * however often it is counted within the window.
   */
  take(key: string, limit: Limit, id?: string): Promise<LimitOutcome>;
  /** Removes what was counted. */
  withdraw(outcome: LimitOutcome): Promise<void>;
  /** Nothing that was counted for `key` counts any more. */
  clear(key: string): Promise<void>;
}

/** The same for one limit. */
export interface RollingLimit extends Expiring {
  /** Counts one more for `key`, an `id` once; false when the limit is reached. */
  take(key: string, id?: string): Promise<boolean>;
}

export interface RollingLimitOptions extends Limit {
  db: Db;
  collection: string;
  clock: Clock;
}

/**
 * Clocks of two machines differ by milliseconds; a mark that lies further ahead than this was made before the clock was
 * put back, and no longer counts.
 */
const AHEAD_MAX_MS = 5000;

/**
 * Exact under any concurrency and across replicas: one document per limited thing, changed by one atomic update that
 * drops marks outside the window and adds the new mark only if the limit allows it.
 */
export async function openRollingLimits(options: Omit<RollingLimitOptions, keyof Limit>): Promise<RollingLimits> {
  const { db, clock } = options;
  const collection = db.collection<RollingLimitDocument>(options.collection);
  await collection.createIndex({ expiresAt: 1 }, { name: 'expires' });

  async function mark(key: string, id: string, now: Date, { max, windowMs }: Limit): Promise<LimitOutcome> {
    const inWindow = {
      $and: [
        { $gt: ['$$this.at', new Date(now.getTime() - windowMs)] },
        { $lte: ['$$this.at', new Date(now.getTime() + AHEAD_MAX_MS)] },
      ],
    };
    const room = { $and: [{ $lt: [{ $size: '$marks' }, max] }, { $not: [{ $in: [id, '$marks.id'] }] }] };
    const after = await collection.findOneAndUpdate(
      { _id: key },
      [
        { $set: { marks: { $filter: { input: { $ifNull: ['$marks', []] }, cond: inWindow } } } },
        { $set: { marks: { $cond: [room, { $concatArrays: ['$marks', [{ id, at: now }]] }, '$marks'] } } },
        { $set: { expiresAt: new Date(now.getTime() + windowMs + AHEAD_MAX_MS) } },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const marks = after?.marks ?? [];
    if (marks.some((one) => one.id === id)) return { taken: true, key, mark: id };
    const oldest = Math.min(...marks.map(({ at }) => at.getTime()), now.getTime());
    return { taken: false, retryAfterMs: oldest + windowMs - now.getTime() };
  }

  return {
    collection,
    expired: () => ({ expiresAt: { $lt: clock.now() } }),
    // The id makes the update safe to repeat: one whose response was lost is detected, not repeated.
    async take(key, limit, id = newId('mark')) {
      const now = clock.now();
      const take = () => mark(key, id, now, limit);
      return take().catch((error: unknown) => {
        // Two concurrent first marks of one key; the document exists now.
        if (collidedIndex(error) === undefined) throw error;
        return take();
      });
    },
    async withdraw(outcome) {
      if (!outcome.taken) return;
      const { key, mark: id } = outcome;
      await collection.updateOne({ _id: key }, { $pull: { marks: { id } } });
    },
    async clear(key) {
      await collection.deleteOne({ _id: key });
    },
  };
}

/** A limit that is the same for every key. */
export async function openRollingLimit({ max, windowMs, ...options }: RollingLimitOptions): Promise<RollingLimit> {
  const { collection, expired, take } = await openRollingLimits(options);
  return { collection, expired, take: async (key, id) => (await take(key, { max, windowMs }, id)).taken };
}
