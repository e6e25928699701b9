import type { BackgroundWork } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Collection, Filter } from 'mongodb';
import { isUnreachable } from './retry.ts';

/** Removes what has expired, every so often: the embedded engine has no TTL monitor, and a moved clock could not steer one. */
export function startExpirySweep<Doc extends { _id: string }>(options: {
  collection: Collection<Doc>;
  expired: () => Filter<Doc>;
  everyMs: number;
  backgroundWork: BackgroundWork;
  log: Logger;
}): { stop(): Promise<void> } {
  const { collection, expired, everyMs, backgroundWork, log } = options;
  let sweeping: Promise<void> | undefined;
  const sweep = () => {
    sweeping ??= backgroundWork
      .during(() => collection.deleteMany(expired()))
      .then(
        () => undefined,
        (error: unknown) => {
          if (!isUnreachable(error))
            log.error({ err: error, collection: collection.collectionName }, 'expiry sweep failed');
        },
      )
      .finally(() => (sweeping = undefined));
  };
  const timer = setInterval(sweep, everyMs);
  sweep();
  return {
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
