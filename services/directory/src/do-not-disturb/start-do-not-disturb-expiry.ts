import type { BackgroundWork, Clock, MovableClock } from '@parley/clock';
import { Refused } from '@parley/errors';
import { type DueDocument, type DueWork, startDueWork } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { Collection } from 'mongodb';
import type { Employees } from '../employees/employee-store.ts';
import { caughtUpPresence } from '../presence/catch-up.ts';
import type { LivePresences } from '../presence/live-presences-client.ts';
import { expireDoNotDisturb } from './do-not-disturb.ts';

const LEASE_MS = 10_000;
const CONCURRENCY = 8;

/** Switches do-not-disturb off when its time has come, also after a restart. */
export function startDoNotDisturbExpiry(options: {
  employees: Employees;
  presences: LivePresences;
  clock: Clock | MovableClock;
  backgroundWork: BackgroundWork;
  log: Logger;
}): DueWork {
  const { employees, presences, clock, backgroundWork, log } = options;
  return startDueWork({
    name: 'do-not-disturb expiry',
    collection: employees.collection as unknown as Collection<DueDocument & { companyId: string }>,
    clock,
    backgroundWork,
    log,
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    async handle({ _id, companyId }) {
      const presence = await caughtUpPresence({ employees, presences }, companyId, _id);
      await employees
        .of(companyId)
        .change(_id, (current) => expireDoNotDisturb(current, presence, clock.now()))
        .catch(ignoreDeleted);
    },
  });
}

/** Whoever left meanwhile is not disturbed any more. */
function ignoreDeleted(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}
