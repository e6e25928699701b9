import type { BackgroundWork } from '@parley/clock';
import { batch, type batching } from '@parley/queues';
import { expireByAge, QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { Db, UpdateFilter } from 'mongodb';

/** A follower's position in one aggregate's events of a noun: everything up to `sequence`, and the few listed in `ahead`. */
export interface Position {
  readonly sequence: number;
  /** Applied although an earlier one was still missing; ascending. */
  readonly ahead: readonly number[];
}

export const NOTHING_APPLIED: Position = { sequence: 0, ahead: [] };

/** Beyond this the gap is accepted: the missing events had expired before this follower existed. */
const AHEAD_MAX = 256;

/** The last one that was applied, whatever is missing before it. */
export function lastApplied({ sequence, ahead }: Position): number {
  return ahead.at(-1) ?? sequence;
}

/** `applied`: seen before. `next`: follows the last one, or fills a gap before it. `early`: something before it is missing. */
export function compareTo(position: Position, sequence: number): 'applied' | 'next' | 'early' {
  if (sequence <= position.sequence || position.ahead.includes(sequence)) return 'applied';
  return sequence <= lastApplied(position) + 1 ? 'next' : 'early';
}

/** The position after applying one more. */
export function advance(position: Position, sequence: number): Position {
  if (compareTo(position, sequence) === 'applied') return position;
  return closeGap({ sequence: position.sequence, ahead: [...position.ahead, sequence] });
}

/** Everything that one of two positions has. */
export function merge(one: Position, other: Position): Position {
  const sequence = Math.max(one.sequence, other.sequence);
  return closeGap({ sequence, ahead: [...new Set([...one.ahead, ...other.ahead])] });
}

/** The same position in its shortest form: a filled gap swallows what was ahead of it. `ahead` may be in any order. */
export function closeGap(position: Position): Position {
  const ahead = position.ahead.filter((sequence) => sequence > position.sequence).sort((a, b) => a - b);
  let reached = position.sequence;
  while (ahead[0] === reached + 1) reached = ahead.shift() ?? reached;
  if (ahead.length > AHEAD_MAX) return { sequence: ahead.at(-1) ?? reached, ahead: [] };
  return { sequence: reached, ahead };
}

/** An event that could not be applied yet. */
export interface Failing {
  readonly sequence: number;
  readonly tries: number;
}

/** An aggregate whose events are not in memory but read from the stream again: it failed, or it has too many. */
export interface CatchUpState {
  readonly service: string;
  readonly partition: number;
  /** Creation time of the stream that `from` is a sequence of. */
  readonly stream: string;
  /** The first event that is not applied. */
  readonly from: number;
  readonly resumeAt: Date;
}

/** The progress in an aggregate's events of one noun. */
export interface Progress {
  readonly position: Position;
  readonly failing: Failing | undefined;
  readonly behind: CatchUpState | undefined;
  /** False for an aggregate without a stored position. */
  readonly known: boolean;
}

/** The fields to save; undefined ones are removed. */
export type ProgressChange = Pick<Progress, 'position' | 'failing' | 'behind'> & {
  readonly key: string;
  /** The stored position was not read: what it has ahead of `sequence` stays. */
  readonly isUnread?: boolean;
};

interface PositionDocument {
  _id: string;
  sequence: number;
  ahead: number[];
  at: Date;
  failing?: Failing;
  /** `partition` is prefixed with the follower's name: followers of a service share the collection. */
  behind?: Omit<CatchUpState, 'partition'> & { partition: string };
}

const DAY_MS = 24 * 3600 * 1000;
/** Longer than events can be republished: the owners' logs keep them 30 days. */
const POSITION_LIFE_MS = 45 * DAY_MS;
const EXPIRE_EVERY_MS = DAY_MS / 4;
export const BEHIND_MAX = 10_000;

const NOTHING_KNOWN: Progress = { position: NOTHING_APPLIED, failing: undefined, behind: undefined, known: false };

export type Positions = Awaited<ReturnType<typeof openPositions>>;

/** A follower's progress: one small document per aggregate and noun. */
export async function openPositions(
  db: Db,
  follower: string,
  backgroundWork: BackgroundWork,
  log: Logger,
  /** While saves are frequent, they are collected for this time. */
  saving: (typeof batching)['positions' | 'replayablePositions'],
) {
  const collection = db.collection<PositionDocument>('follower_positions');
  await collection.createIndexes([
    {
      name: 'behind',
      key: { 'behind.partition': 1, 'behind.resumeAt': 1 },
      partialFilterExpression: { 'behind.partition': { $exists: true } },
    },
  ]);
  const idOf = (key: string) => `${follower}:${key}`;
  const partitionKey = (partition: number) => `${follower}:${partition}`;
  const expiry = await expireByAge({
    db,
    collection,
    ageMs: POSITION_LIFE_MS,
    everyMs: EXPIRE_EVERY_MS,
    backgroundWork,
    log,
  });

  function updateOf({ key, position, failing, behind, isUnread = false }: ProgressChange) {
    const set = {
      at: new Date(),
      ...(!isUnread && { ahead: [...position.ahead] }),
      ...(failing && { failing }),
      ...(behind && { behind: { ...behind, partition: partitionKey(behind.partition) } }),
    };
    const unset: { failing?: ''; behind?: '' } = { ...(!failing && { failing: '' }), ...(!behind && { behind: '' }) };
    const update: UpdateFilter<PositionDocument> = {
      $max: { sequence: position.sequence },
      $set: set,
      ...(Object.keys(unset).length > 0 && { $unset: unset }),
    };
    return { updateOne: { filter: { _id: idOf(key) }, update, upsert: true } };
  }

  return {
    async read(keys: readonly string[]): Promise<(key: string) => Progress> {
      if (keys.length === 0) return () => NOTHING_KNOWN;
      const found = await collection.find({ _id: { $in: keys.map(idOf) } }).toArray();
      const byId = new Map(found.map((document) => [document._id, toProgress(document)]));
      return (key) => byId.get(idOf(key)) ?? NOTHING_KNOWN;
    },

    /** Changes of many aggregates at once are one bulk write. A position never decreases. */
    save: batch<ProgressChange, void>(async (changes) => {
      // The last of several changes of one aggregate counts.
      const latest = [...new Map(changes.map((change) => [change.key, change])).values()];
      await collection.bulkWrite(latest.map(updateOf), { ordered: false });
      return [];
    }, saving),

    /** Aggregates of a partition that are behind, the longest due first; `BEHIND_MAX` at most. */
    async behind(partition: number): Promise<{ key: string; progress: Progress }[]> {
      const found = await collection
        .find({ 'behind.partition': partitionKey(partition) }, { maxTimeMS: QUERY_TIME_MAX_MS })
        .sort({ 'behind.resumeAt': 1 })
        .limit(BEHIND_MAX)
        .toArray();
      return found.map((document) => ({
        key: document._id.slice(follower.length + 1),
        progress: toProgress(document),
      }));
    },

    stop: () => expiry.stop(),
  };
}

function toProgress({ sequence, ahead, failing, behind }: PositionDocument): Progress {
  const partition = Number(behind?.partition.slice(behind.partition.lastIndexOf(':') + 1));
  return {
    position: closeGap({ sequence: sequence ?? 0, ahead: ahead ?? [] }),
    failing,
    behind: behind && { ...behind, partition },
    known: true,
  };
}
