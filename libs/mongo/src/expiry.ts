import type { BackgroundWork } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Collection, Filter } from 'mongodb';
import { isUnreachable } from './mongo-errors.ts';

export interface SweepOptions {
  everyMs: number;
  /** While it is true, every thirtieth sweep is made. */
  isQuiet?: () => boolean;
  backgroundWork: BackgroundWork;
  log: Logger;
}

const QUIET_SHARE = 30;

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
