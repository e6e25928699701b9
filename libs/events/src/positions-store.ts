import type { BackgroundWork } from '@parley/clock';
import { startExpirySweep, whileUnreachable } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';
import { closeGap, NOTHING_APPLIED, type Position } from './position.ts';

/** An event that could not be applied and comes again. Those behind it wait, in every replica. */
export interface Failing {
  readonly sequence: number;
  readonly tries: number;
  /** When it should have come again by the machine's clock; past it the others wait no longer. */
  readonly until: Date;
}

/** What is known of one line of events: an aggregate's events of one noun. */
export interface Progress {
  readonly position: Position;
  readonly failing: Failing | undefined;
  /** False for one this follower has never met, or not for so long that it was forgotten. */
  readonly known: boolean;
}

interface PositionDocument {
  _id: string;
  sequence: number;
  ahead: number[];
  at: Date;
  failing?: Failing;
}

const DAY_MS = 24 * 3600 * 1000;
/** Longer than any event can come back: the owners' logs keep them 30 days. */
const POSITION_LIFE_MS = 45 * DAY_MS;
const FORGET_EVERY_MS = DAY_MS / 4;

const NOTHING_KNOWN: Progress = { position: NOTHING_APPLIED, failing: undefined, known: false };

/** Where a follower keeps what it has applied: one small document per line of events. */
export async function openPositions(db: Db, follower: string, backgroundWork: BackgroundWork, log: Logger) {
  const collection = db.collection<PositionDocument>('follower_positions');
  await collection.createIndex({ at: 1 }, { name: 'at' });
  const key = (line: string) => `${follower}:${line}`;
  const forgetting = startExpirySweep({
    collection,
    expired: () => ({ at: { $lt: new Date(Date.now() - POSITION_LIFE_MS) } }),
    everyMs: FORGET_EVERY_MS,
    backgroundWork,
    log,
  });
  return {
    async read(lines: readonly string[]): Promise<(line: string) => Progress> {
      const known = await whileUnreachable(() => collection.find({ _id: { $in: lines.map(key) } }).toArray());
      const byKey = new Map(known.map((document) => [document._id, toProgress(document)]));
      return (line) => byKey.get(key(line)) ?? NOTHING_KNOWN;
    },

    /** Adds to what is known; what another replica has written meanwhile stays. */
    async write(positions: readonly (readonly [line: string, position: Position])[]): Promise<void> {
      if (positions.length === 0) return;
      const at = new Date();
      await whileUnreachable(() =>
        collection.bulkWrite(
          positions.map(([line, position]) => ({
            updateOne: { filter: { _id: key(line) }, update: merge(position, at), upsert: true },
          })),
          { ordered: false },
        ),
      );
    },

    async failed(line: string, failing: Failing): Promise<void> {
      await whileUnreachable(() =>
        collection.updateOne(
          { _id: key(line) },
          { $set: { failing, at: new Date() }, $setOnInsert: { sequence: 0, ahead: [] } },
          { upsert: true },
        ),
      );
    },

    stop: () => forgetting.stop(),
  };
}

function merge(position: Position, at: Date) {
  return [
    {
      $set: {
        sequence: { $max: ['$sequence', position.sequence] },
        ahead: { $setUnion: [{ $ifNull: ['$ahead', []] }, [...position.ahead]] },
        at,
      },
    },
    {
      $set: {
        ahead: { $filter: { input: '$ahead', cond: { $gt: ['$$this', '$sequence'] } } },
        failing: { $cond: [{ $gt: ['$failing.sequence', '$sequence'] }, '$failing', '$$REMOVE'] },
      },
    },
  ];
}

function toProgress({ sequence, ahead, failing }: PositionDocument): Progress {
  return { position: closeGap({ sequence, ahead }), failing, known: true };
}
