import { type Clock, withTimeout } from '@parley/clock';
import { type Broker, PARTITIONS } from '@parley/events';
import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { Db } from 'mongodb';

/** Up to which time the events of all partitions have been applied. */
export interface Progress {
  /** At most three seconds ago, unless a replica is behind. Undefined before every partition has been read once. */
  appliedThrough(): Promise<Date | undefined>;
  /** Stores how far this replica's partitions are: while there are events, and whenever a replica requests it. */
  start(follower: { caughtUp(): Promise<readonly number[]> }): ProgressWriter;
}

export interface ProgressWriter {
  /** An event is being applied: no reader has to wait for those that follow. */
  expect(): void;
  stop(): Promise<void>;
}

interface PartitionProgress {
  readonly _id: number;
  /** Measured by the product's clock. */
  readonly appliedThrough: Date;
}

/** While there are events. `complete_through` of reports has to stay within five seconds. */
const EVERY_MS = 2500;
/** What is older is measured before a report is read. */
const FRESH_MS = 3000;
/** After the last event. */
const ACTIVE_MS = 10_000;
/** Replicas that are catching up, or have crashed, stay at what they stored. */
const ANSWER_MS = 1000;

export function openProgress(deps: { db: Db; broker: Broker; clock: Clock; log: Logger; follower: string }): Progress {
  const { db, broker, clock, log } = deps;
  const collection = db.collection<PartitionProgress>('progress');
  const subject = broker.subject(`signals.followers.${deps.follower}.progress`);
  let measuring: Promise<void> | undefined;

  const stored = () =>
    collection
      .find({ _id: { $gte: 0 } })
      .sort({ _id: 1 })
      .limit(PARTITIONS)
      .toArray();
  const through = (all: readonly PartitionProgress[]) =>
    all.length < PARTITIONS
      ? undefined
      : new Date(Math.min(...all.map(({ appliedThrough }) => appliedThrough.getTime())));

  /** Those that were not measured a moment ago, because there are no events or their replica is behind. */
  function staleOf(all: readonly PartitionProgress[]): Set<number> {
    const since = clock.now().getTime() - FRESH_MS;
    const fresh = all.filter(({ appliedThrough }) => appliedThrough.getTime() >= since).map(({ _id }) => _id);
    return new Set(Array.from({ length: PARTITIONS }, (_, partition) => partition)).difference(new Set(fresh));
  }

  /** Resolves when the replicas of these partitions have stored how far they are. */
  async function measure(stale: Set<number>): Promise<void> {
    if (!broker.connected()) return;
    const options = { strategy: 'timer', maxWait: ANSWER_MS, noMux: true } as const;
    for await (const answer of await broker.connection.requestMany(subject, undefined, options)) {
      for (const partition of answer.json<number[]>()) stale.delete(partition);
      if (stale.size === 0) return;
    }
  }

  return {
    async appliedThrough() {
      const all = await stored();
      const stale = staleOf(all);
      if (stale.size === 0) return through(all);
      measuring ??= measure(stale)
        .catch((error: unknown) => log.debug({ err: error }, 'progress not measured'))
        .finally(() => (measuring = undefined));
      await measuring;
      return through(await stored());
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
      const storeNow = () => (storing ??= store().finally(() => (storing = undefined)));
      const noteProblem = (error: unknown) => {
        if (!isUnreachable(error)) log.warn({ err: error }, 'progress not stored');
      };
      const requests = broker.connection.subscribe(subject, {
        callback: (error, request) => {
          if (error) return;
          storeNow().then((partitions) => request.respond(JSON.stringify(partitions)), noteProblem);
        },
      });
      let timer: NodeJS.Timeout | undefined;
      let activeUntil = 0;
      let stopped = false;
      const tick = () => {
        storeNow().catch(noteProblem);
        if (performance.now() < activeUntil) return;
        clearInterval(timer);
        timer = undefined;
      };
      return {
        expect() {
          if (stopped) return;
          activeUntil = performance.now() + ACTIVE_MS;
          timer ??= setInterval(tick, EVERY_MS);
        },
        async stop() {
          stopped = true;
          clearInterval(timer);
          requests.unsubscribe();
          // Events that are being applied are not waited for longer.
          if (storing) await withTimeout(ANSWER_MS, storing).catch(() => undefined);
        },
      };
    },
  };
}
