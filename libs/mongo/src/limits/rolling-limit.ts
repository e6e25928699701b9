import { randomUUID } from 'node:crypto';
import type { Clock } from '@parley/clock';
import { batch, batching } from '@parley/queues';
import type { Collection, Db, Document } from 'mongodb';
import { collidedIndex } from '../mongo-errors.ts';
import { byIds, replaceIf, valueById } from '../update-by-id.ts';

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

/** One more that is to be counted. */
interface NewMark {
  readonly key: string;
  readonly id: string;
  readonly now: Date;
  readonly limit: Limit;
}

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
 * drops marks outside the window and adds the new mark only if the limit allows it. Marks of several keys that are requested at the same
 * time are one command.
 */
export async function openRollingLimits(options: Omit<RollingLimitOptions, keyof Limit>): Promise<RollingLimits> {
  const { db, clock } = options;
  const collection = db.collection<RollingLimitDocument>(options.collection);
  await collection.createIndex({ expiresAt: 1 }, { name: 'expires' });

  async function mark({ key, id, now, limit: { max, windowMs } }: NewMark): Promise<LimitOutcome> {
    const room = { $and: [{ $lt: [{ $size: '$marks' }, max] }, { $not: [{ $in: [id, '$marks.id'] }] }] };
    const after = await collection.findOneAndUpdate(
      { _id: key },
      [
        { $set: { marks: marksWithin(windowStart(now, windowMs), windowEnd(now)) } },
        { $set: { marks: { $cond: [room, { $concatArrays: ['$marks', [{ id, at: now }]] }, '$marks'] } } },
        { $set: { expiresAt: expiryOf(now, windowMs) } },
      ],
      { upsert: true, returnDocument: 'after' },
    );
    const marks = after?.marks ?? [];
    if (marks.some((one) => one.id === id)) return { taken: true, key, mark: id };
    const oldest = Math.min(...marks.map(({ at }) => at.getTime()), now.getTime());
    return { taken: false, retryAfterMs: oldest + windowMs - now.getTime() };
  }

  /** Two concurrent first marks of one key collide; the document exists then. */
  const markAlone = (one: NewMark): Promise<LimitOutcome> =>
    mark(one).catch((error: unknown) => {
      if (collidedIndex(error) === undefined) throw error;
      return mark(one);
    });

  /** Marks of different keys; false when not all of them were added. A document without room stays as it is. */
  async function addAll(marks: readonly NewMark[]): Promise<boolean> {
    const keys = marks.map(({ key }) => key);
    const own = valueById(
      keys,
      marks.map(({ id, now, limit: { max, windowMs } }) => ({
        id,
        at: now,
        max,
        start: windowStart(now, windowMs),
        end: windowEnd(now),
        expiresAt: expiryOf(now, windowMs),
      })),
    );
    const counted = marksWithin('$$own.start', '$$own.end');
    const room = [{ $lt: [{ $size: counted }, '$$own.max'] }, { $not: [{ $in: ['$$own.id', '$marks.id'] }] }];
    const added = {
      marks: { $concatArrays: [counted, [{ id: '$$own.id', at: '$$own.at' }]] },
      expiresAt: '$$own.expiresAt',
    };
    const written = { $mergeObjects: ['$$ROOT', added] };
    const { modifiedCount } = await collection.updateMany(byIds(keys), [replaceIf(own, room, written)]);
    return modifiedCount === marks.length;
  }

  const markTogether = batch(async (marks: readonly NewMark[]) => {
    const firstOfKey = new Map(marks.toReversed().map((one) => [one.key, one]));
    const firsts = new Set(firstOfKey.values());
    // The server reports how many were added, not which: otherwise each is asked for on its own, which counts none twice.
    const areAdded = firsts.size > 1 && (await addAll([...firsts]).catch(() => false));
    const outcomeOf = async (one: NewMark): Promise<LimitOutcome> =>
      areAdded && firsts.has(one) ? { taken: true, key: one.key, mark: one.id } : markAlone(one);
    return Promise.allSettled(marks.map(outcomeOf));
  }, batching.writes);

  return {
    collection,
    expired: () => ({ expiresAt: { $lt: clock.now() } }),
    // The id makes the update safe to repeat: one whose response was lost is detected, not repeated.
    async take(key, limit, id = randomUUID()) {
      const outcome = await markTogether({ key, id, now: clock.now(), limit });
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
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

/** The stored marks that count between two times, as an expression. */
function marksWithin(start: Date | string, end: Date | string): Document {
  const isCounted = { $and: [{ $gt: ['$$this.at', start] }, { $lte: ['$$this.at', end] }] };
  return { $filter: { input: { $ifNull: ['$marks', []] }, cond: isCounted } };
}

const windowStart = (now: Date, windowMs: number) => new Date(now.getTime() - windowMs);
const windowEnd = (now: Date) => new Date(now.getTime() + AHEAD_MAX_MS);
const expiryOf = (now: Date, windowMs: number) => new Date(now.getTime() + windowMs + AHEAD_MAX_MS);

/** A limit that is the same for every key. */
export async function openRollingLimit({ max, windowMs, ...options }: RollingLimitOptions): Promise<RollingLimit> {
  const { collection, expired, take } = await openRollingLimits(options);
  return { collection, expired, take: async (key, id) => (await take(key, { max, windowMs }, id)).taken };
}
