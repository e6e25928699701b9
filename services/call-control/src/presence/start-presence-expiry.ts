import { type BackgroundWork, type Clock } from '@parley/clock';
import { Refused } from '@parley/errors';
import { type DueDocument, type DueWork, startDueWork } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Collection } from 'mongodb';
import { expire } from './presence.ts';
import type { Presences } from './presence-store.ts';

const LEASE_MS = 5000;
const CONCURRENCY = 8;

/** Ends what nobody renewed. Durable: after a crash the next process goes on. */
export function startPresenceExpiry(options: {
  presences: Presences;
  machineClock: Clock;
  backgroundWork: BackgroundWork;
  log: Logger;
}): DueWork {
  const { presences, machineClock, backgroundWork, log } = options;
  return startDueWork({
    name: 'presence expiry',
    collection: presences.aggregates.collection as unknown as Collection<DueDocument>,
    clock: machineClock,
    backgroundWork,
    log,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    async handle({ _id }) {
      await presences
        .change(_id, (current, now) => expire(current, now))
        .catch((error: unknown) => {
          if (!(error instanceof Refused)) throw error;
        });
    },
  });
}
