import { type Clock, withTimeout } from '@parley/clock';
import { type Broker, PARTITIONS } from '@parley/events';
import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';

/** Up to which time the events of all partitions have been applied. */
export interface Progress {
  /** Measured now, or a moment ago. Undefined before every partition has been read once. */
  appliedThrough(): Promise<Date | undefined>;
  /** Measures this replica's partitions whenever one is asked for the progress. */
  start(follower: { caughtUp(): Promise<readonly number[]> }): { stop(): Promise<void> };
}

interface PartitionProgress {
  readonly _id: number;
  /** Measured by the product's clock. */
  readonly appliedThrough: Date;
}

/** `complete_through` of reports has to stay within five seconds. */
const FRESH_MS = 1000;
/** Replicas that are catching up, or have crashed, stay at what they stored. */
const ANSWER_MS = 1000;

export function openProgress(deps: { db: Db; broker: Broker; clock: Clock; log: Logger; follower: string }): Progress {
  const { db, broker, clock, log } = deps;
  const collection = db.collection<PartitionProgress>('progress');
  const subject = broker.subject(`signals.followers.${deps.follower}.progress`);
  let measuring: Promise<void> | undefined;

  async function stored(): Promise<Date | undefined> {
    const all = await collection
      .find({ _id: { $gte: 0 } })
      .sort({ _id: 1 })
      .limit(PARTITIONS)
      .toArray();
    if (all.length < PARTITIONS) return undefined;
    return new Date(Math.min(...all.map(({ appliedThrough }) => appliedThrough.getTime())));
  }

  /** Resolves when the replicas of all partitions have stored how far they are. */
  async function measure(): Promise<void> {
    if (!broker.connected()) return;
    const measured = new Set<number>();
    const options = { strategy: 'timer', maxWait: ANSWER_MS, noMux: true } as const;
    for await (const answer of await broker.connection.requestMany(subject, undefined, options)) {
      for (const partition of answer.json<number[]>()) measured.add(partition);
      if (measured.size === PARTITIONS) return;
    }
  }

  return {
    async appliedThrough() {
      const known = await stored();
      if (known && clock.now().getTime() - known.getTime() < FRESH_MS) return known;
      measuring ??= measure()
        .catch((error: unknown) => log.debug({ err: error }, 'progress not measured'))
        .finally(() => (measuring = undefined));
      await measuring;
      return stored();
    },
    start({ caughtUp }) {
      let storing: Promise<readonly number[]> | undefined;
      async function store(): Promise<readonly number[]> {
        const appliedThrough = clock.now();
        const partitions = await caughtUp();
        if (partitions.length === 0) return [];
        const filter = { _id: { $in: [...partitions] } };
        const { matchedCount } = await collection.updateMany(filter, { $set: { appliedThrough } });
        if (matchedCount < partitions.length)
          await collection.bulkWrite(
            partitions.map((_id) => ({
              updateOne: { filter: { _id }, update: { $set: { appliedThrough } }, upsert: true },
            })),
            { ordered: false },
          );
        return partitions;
      }
      const requests = broker.connection.subscribe(subject, {
        callback: (error, request) => {
          if (error) return;
          storing ??= store().finally(() => (storing = undefined));
          storing.then(
            (partitions) => request.respond(JSON.stringify(partitions)),
            (problem: unknown) => {
              if (!isUnreachable(problem)) log.warn({ err: problem }, 'progress not stored');
            },
          );
        },
      });
      return {
        async stop() {
          requests.unsubscribe();
          // Events that are being applied are not waited for longer.
          if (storing) await withTimeout(ANSWER_MS, storing).catch(() => undefined);
        },
      };
    },
  };
}
