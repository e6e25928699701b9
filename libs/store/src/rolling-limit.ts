import type { Clock } from '@parley/clock';
import { newId } from '@parley/ids';
import type { Collection, Db } from 'mongodb';
import { collidedIndex, whileUnreachable } from './retry.ts';

/** One limited thing: when it was done within the window. */
interface RollingLimitDocument {
  _id: string;
  marks: { id: string; at: Date }[];
  /** After this nothing in it counts any more. */
  expiresAt: Date;
}

/** How often something may be done within any stretch of time of a given length. */
export interface RollingLimit {
  /**
   * Counts one more for `key` if there is room; false when there is none, and then nothing is counted. What has an `id`
   * counts once, however often it is counted within the window.
   */
  take(key: string, id?: string): Promise<boolean>;
  /** For `startExpirySweep`: what nobody needs any more. */
  readonly collection: Collection<RollingLimitDocument>;
  readonly expired: () => { expiresAt: { $lt: Date } };
}

export interface RollingLimitOptions {
  db: Db;
  collection: string;
  max: number;
  windowMs: number;
  clock: Clock;
}

/**
 * Clocks of two machines differ by milliseconds; a mark that lies further ahead than this was made before the clock was
 * put back, and no longer counts.
 */
const AHEAD_MAX_MS = 5000;

/**
 * Exact under any concurrency and across replicas: one document per limited thing, changed by one atomic update that
 * drops what has left the window and adds the new mark only if there is room.
 */
export async function openRollingLimit(options: RollingLimitOptions): Promise<RollingLimit> {
  const { db, max, windowMs, clock } = options;
  const collection = db.collection<RollingLimitDocument>(options.collection);
  await collection.createIndex({ expiresAt: 1 }, { name: 'expires' });

  async function mark(key: string, id: string, now: Date): Promise<boolean> {
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
    return after?.marks.some((one) => one.id === id) ?? false;
  }

  return {
    collection,
    expired: () => ({ expiresAt: { $lt: clock.now() } }),
    // The id makes the update safe to repeat: one whose answer was lost is found done, not done again.
    async take(key, id = newId('mark')) {
      const now = clock.now();
      const take = () => whileUnreachable(() => mark(key, id, now));
      return take().catch((error: unknown) => {
        // Two first marks of one key met; by now the document is there.
        if (collidedIndex(error) === undefined) throw error;
        return take();
      });
    },
  };
}
