import type { Clock } from '@parley/clock';
import { PARTITIONS } from '@parley/events';
import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';

/** Up to which time the events of all partitions have been applied. */
export interface Progress {
  /** Undefined before every partition has been read once. */
  appliedThrough(): Promise<Date | undefined>;
  /** Writes how far this replica's partitions are, every so often. */
  start(follower: { caughtUp(): Promise<readonly number[]> }): { stop(): Promise<void> };
}

interface PartitionProgress {
  readonly _id: number;
  /** Measured by the product's clock. */
  readonly appliedThrough: Date;
}

/** `complete_through` of reports has to stay within five seconds. */
const EVERY_MS = 2500;

export function openProgress(db: Db, clock: Clock, log: Logger): Progress {
  const collection = db.collection<PartitionProgress>('progress');
  return {
    async appliedThrough() {
      const all = await collection
        .find({ _id: { $gte: 0 } })
        .sort({ _id: 1 })
        .limit(PARTITIONS)
        .toArray();
      if (all.length < PARTITIONS) return undefined;
      return new Date(Math.min(...all.map(({ appliedThrough }) => appliedThrough.getTime())));
    },
    start({ caughtUp }) {
      let writing: Promise<void> | undefined;
      let saving: Promise<unknown> | undefined;
      let stopped = false;
      async function write(): Promise<void> {
        const appliedThrough = clock.now();
        const partitions = await caughtUp();
        if (partitions.length === 0 || stopped) return;
        saving = collection.bulkWrite(
          partitions.map((_id) => ({
            updateOne: { filter: { _id }, update: { $set: { appliedThrough } }, upsert: true },
          })),
          { ordered: false },
        );
        await saving;
      }
      const tick = () => {
        writing ??= write()
          .catch((error: unknown) => {
            if (!isUnreachable(error)) log.warn({ err: error }, 'progress not written; retrying');
          })
          .finally(() => (writing = undefined));
      };
      const timer = setInterval(tick, EVERY_MS);
      tick();
      return {
        async stop() {
          stopped = true;
          clearInterval(timer);
          // Events that are being applied are not waited for.
          await saving?.catch(() => undefined);
        },
      };
    },
  };
}
