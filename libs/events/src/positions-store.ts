import { whileUnreachable } from '@parley/store';
import type { Db } from 'mongodb';
import { NOTHING_APPLIED, type Position } from './position.ts';

interface PositionDocument {
  _id: string;
  sequence: number;
  ahead: number[];
  at: Date;
}

/** Longer than any event can come back: the owners' logs keep them 30 days. */
export const POSITION_LIFE_DAYS = 45;

/** Where a follower keeps what it has applied: one small document per aggregate. */
export async function openPositions(db: Db, follower: string) {
  const collection = db.collection<PositionDocument>('follower_positions');
  await collection.createIndex({ at: 1 }, { name: 'at' });
  const key = (aggregateId: string) => `${follower}:${aggregateId}`;
  return {
    async read(aggregateIds: readonly string[]): Promise<(aggregateId: string) => Position> {
      const known = await collection.find({ _id: { $in: aggregateIds.map(key) } }).toArray();
      const byKey = new Map(known.map((position) => [position._id, position as Position]));
      return (aggregateId) => byKey.get(key(aggregateId)) ?? NOTHING_APPLIED;
    },
    async write(positions: readonly (readonly [aggregateId: string, position: Position])[]): Promise<void> {
      if (positions.length === 0) return;
      const at = new Date();
      await whileUnreachable(() =>
        collection.bulkWrite(
          positions.map(([aggregateId, { sequence, ahead }]) => ({
            updateOne: {
              filter: { _id: key(aggregateId) },
              update: { $set: { sequence, ahead: [...ahead], at } },
              upsert: true,
            },
          })),
          { ordered: false },
        ),
      );
    },
  };
}
