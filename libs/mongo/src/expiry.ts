import type { BackgroundWork } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Collection, Filter, Db } from 'mongodb';
import { isUnreachable } from './mongo-errors.ts';
import { createIndexes } from './indexes.ts';
import { engineOf } from './embedded-engine/repeat-operations.ts';

export interface SweepOptions {
  everyMs: number;
  /** While it is true, every thirtieth sweep is made. */
  isQuiet?: () => boolean;
  backgroundWork: BackgroundWork;
  log: Logger;
}

const QUIET_SHARE = 30;

/** The index of `expireByAge`, which a server has with its age and the embedded engine without. */
export const EXPIRY_INDEX = 'at';

/** Removes what has expired by the product's clock, every so often: a TTL index would follow the server's clock. */
export function startExpirySweep<Doc extends { _id: string }>(
  options: SweepOptions & { collection: Collection<Doc>; expired: () => Filter<Doc> },
): { stop(): Promise<void> } {
  const { collection, expired, ...sweep } = options;
  const name = `expiry of ${collection.collectionName}`;
  return startSweep({ ...sweep, name, sweep: () => collection.deleteMany(expired()) });
}

/** Repeats a bulk write, one at a time; one that fails is left to the next. */
export function startSweep(options: SweepOptions & { name: string; sweep: () => Promise<unknown> }): {
  stop(): Promise<void>;
} {
  const { name, everyMs, isQuiet = () => false, backgroundWork, log } = options;
  let sweeping: Promise<void> | undefined;
  let skipped = 0;
  const sweep = () => {
    sweeping ??= backgroundWork
      .during(options.sweep)
      .then(
        () => undefined,
        (error: unknown) => {
          if (!isUnreachable(error)) log.error({ err: error, sweep: name }, 'sweep failed; it is repeated');
        },
      )
      .finally(() => (sweeping = undefined));
  };
  const timer = setInterval(() => {
    skipped = isQuiet() ? (skipped + 1) % QUIET_SHARE : 0;
    if (skipped === 0) sweep();
  }, everyMs);
  sweep();
  return {
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}

/**
 * Removes documents whose field `at` is older than `ageMs` by the machine's clock, and creates the index `at` that this needs: a TTL index
 * if the server has that, otherwise the documents are deleted every so often.
 */
export async function expireByAge<Doc extends { _id: string; at: Date }>(
  options: SweepOptions & { db: Db; collection: Collection<Doc>; ageMs: number },
): Promise<{ stop(): Promise<void> }> {
  const { db, collection, ageMs, ...sweep } = options;
  const hasTtl = engineOf(db) === 'server';
  await createIndexes(collection as unknown as Collection, [
    { name: EXPIRY_INDEX, key: { at: 1 }, ...(hasTtl && { expireAfterSeconds: ageMs / 1000 }) },
  ]);
  if (hasTtl) return { stop: async () => undefined };
  const expired = () => ({ at: { $lt: new Date(Date.now() - ageMs) } }) as object;
  return startExpirySweep({ ...sweep, collection, expired });
}
