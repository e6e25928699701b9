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

/** Rolling limits by key, each with its own maximum. */
export type RollingLimits = Awaited<ReturnType<typeof openRollingLimits>>;
/** The same for one limit. */
export type RollingLimit = Awaited<ReturnType<typeof openRollingLimit>>;

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
export async function openRollingLimits(options: Omit<RollingLimitOptions, keyof Limit>) {
  const { db, clock } = options;
  const collection = db.collection<RollingLimitDocument>(options.collection);
  await collection.createIndex({ expiresAt: 1 }, { name: 'expires' });
  const markTogether = batch((marks: readonly NewMark[]) => addMarks(collection, marks), batching.writes);
  return {
    collection,
    /** The outdated documents, for `startExpirySweep`. */
    expired: () => ({ expiresAt: { $lt: clock.now() } }),
    /**
     * Counts one more for `key` if the limit allows it; otherwise nothing is counted. An `id` is counted once,
     * however often it is counted within the window: an update whose response was lost is detected, not repeated.
     */
    async take(key: string, limit: Limit, id: string = randomUUID()): Promise<LimitOutcome> {
      const outcome = await markTogether({ key, id, now: clock.now(), limit });
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    },
    /** Removes what was counted. */
    async withdraw(outcome: LimitOutcome): Promise<void> {
      if (!outcome.taken) return;
      const { key, mark: id } = outcome;
      await collection.updateOne({ _id: key }, { $pull: { marks: { id } } });
    },
    /** Nothing that was counted for `key` counts any more. */
    async clear(key: string): Promise<void> {
      await collection.deleteOne({ _id: key });
    },
  };
}

async function addMarks(limits: Collection<RollingLimitDocument>, marks: readonly NewMark[]) {
  const firstOfKey = new Map(marks.toReversed().map((one) => [one.key, one]));
  const firsts = new Set(firstOfKey.values());
  // The server reports how many were added, not which: otherwise each is asked for on its own, which counts none twice.
  const areAdded = firsts.size > 1 && (await addTogether(limits, [...firsts]).catch(() => false));
  const outcomeOf = async (one: NewMark): Promise<LimitOutcome> =>
    areAdded && firsts.has(one) ? { taken: true, key: one.key, mark: one.id } : addAlone(limits, one);
  return Promise.allSettled(marks.map(outcomeOf));
}

/** Marks of different keys; false when not all of them were added. A document without room stays as it is. */
async function addTogether(limits: Collection<RollingLimitDocument>, marks: readonly NewMark[]): Promise<boolean> {
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
  const { modifiedCount } = await limits.updateMany(byIds(keys), [replaceIf(own, room, written)]);
  return modifiedCount === marks.length;
}

/** Two concurrent first marks of one key collide; the document exists then. */
function addAlone(limits: Collection<RollingLimitDocument>, mark: NewMark): Promise<LimitOutcome> {
  return add(limits, mark).catch((error: unknown) => {
    if (collidedIndex(error) === undefined) throw error;
    return add(limits, mark);
  });
}

async function add(limits: Collection<RollingLimitDocument>, mark: NewMark): Promise<LimitOutcome> {
  const { key, id, now, limit } = mark;
  const room = { $and: [{ $lt: [{ $size: '$marks' }, limit.max] }, { $not: [{ $in: [id, '$marks.id'] }] }] };
  const after = await limits.findOneAndUpdate(
    { _id: key },
    [
      { $set: { marks: marksWithin(windowStart(now, limit.windowMs), windowEnd(now)) } },
      { $set: { marks: { $cond: [room, { $concatArrays: ['$marks', [{ id, at: now }]] }, '$marks'] } } },
      { $set: { expiresAt: expiryOf(now, limit.windowMs) } },
    ],
    { upsert: true, returnDocument: 'after' },
  );
  const marks = after?.marks ?? [];
  if (marks.some((one) => one.id === id)) return { taken: true, key, mark: id };
  const oldest = Math.min(...marks.map(({ at }) => at.getTime()), now.getTime());
  return { taken: false, retryAfterMs: oldest + limit.windowMs - now.getTime() };
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
export async function openRollingLimit({ max, windowMs, ...options }: RollingLimitOptions) {
  const { collection, expired, take } = await openRollingLimits(options);
  return {
    collection,
    expired,
    /** Counts one more for `key`, an `id` once; false when the limit is reached. */
    take: async (key: string, id?: string) => (await take(key, { max, windowMs }, id)).taken,
  };
}
