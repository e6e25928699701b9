import type { Clock } from '@parley/clock';
import type { Db } from 'mongodb';
import { collidedIndex } from '../mongo-errors.ts';

/** The usage of a key within one window. */
interface UsageDocument {
  _id: string;
  used: number;
  /** After this it is of no interest. */
  expiresAt: Date;
}

export type UsageQuota = Awaited<ReturnType<typeof openUsageQuota>>;

export interface UsageQuotaOptions {
  db: Db;
  collection: string;
  max: number;
  windowMs: number;
  clock: Clock;
}

/**
 * An amount that may be used per key within each window of time, such as characters per company and hour.
 *
 * One counter per key and window, of constant size however much is used, where a rolling limit keeps a mark for each use.
 * The price: around the end of a window twice the quota may be used. An update whose response was lost and that is
 * repeated counts twice.
 */
export async function openUsageQuota(options: UsageQuotaOptions) {
  const { db, max, windowMs, clock } = options;
  const collection = db.collection<UsageDocument>(options.collection);
  await collection.createIndex({ expiresAt: 1 }, { name: 'expires' });
  const windowOf = (now: Date) => Math.floor(now.getTime() / windowMs);

  async function add(_id: string, amount: number, expiresAt: Date): Promise<boolean> {
    const { matchedCount, upsertedCount } = await collection.updateOne(
      { _id, used: { $lte: max - amount } },
      { $inc: { used: amount }, $setOnInsert: { expiresAt } },
      { upsert: true },
    );
    return matchedCount + upsertedCount > 0;
  }

  return {
    collection,
    /** The ended windows, for `startExpirySweep`. */
    expired: () => ({ expiresAt: { $lt: clock.now() } }),
    /** The time until the current window ends and the whole quota is available again. */
    msUntilNextWindow: () => windowMs - (clock.now().getTime() % windowMs),
    /** Uses `amount` of the key's quota if so much is left; false when it is not, and then nothing is used. */
    async take(key: string, amount: number): Promise<boolean> {
      if (amount > max) return false;
      const window = windowOf(clock.now());
      const _id = `${key}/${window}`;
      const expiresAt = new Date((window + 2) * windowMs);
      const attempt = () => add(_id, amount, expiresAt);
      // The counter exists but has too little left, or two first uses were concurrent: the second attempt distinguishes them.
      const collided = (error: unknown) => {
        if (collidedIndex(error) === undefined) throw error;
        return false;
      };
      return attempt().catch((error: unknown) => collided(error) || attempt().catch(collided));
    },
  };
}
