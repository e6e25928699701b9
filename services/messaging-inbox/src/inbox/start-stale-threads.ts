import type { BackgroundWork, Clock } from '@parley/clock';
import { isUnreachable } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import type { InboxStore } from './inbox-store.ts';
import type { InboxProjection } from './projection-store.ts';

/** A change whose process goes on finishes long before. */
const STALE_MS = 5000;
const SWEEP_EVERY_MS = 2000;
const BATCH = 100;

/** Refreshes threads whose items were changed by a process that ended before it could summarise them. */
export function startStaleThreads(options: {
  store: InboxStore;
  projection: InboxProjection;
  clock: Clock;
  backgroundWork: BackgroundWork;
  log: Logger;
}): { stop(): Promise<void> } {
  const { store, projection, clock, backgroundWork, log } = options;
  let sweeping: Promise<void> | undefined;
  const sweep = async () => {
    const before = new Date(clock.now().getTime() - STALE_MS);
    const stale = store.threads.acrossCompanies.find({ staleSince: { $lt: before } }, { staleSince: 1 }, BATCH);
    for await (const { companyId, phone, scope, claims } of stale) {
      // The item of a claim may have been stored; then its claim is settled here.
      const stored = claims[0] && (await store.items.of(companyId).get(claims[0].itemId));
      await projection.refresh(companyId, phone, [scope], stored);
    }
  };
  const timer = setInterval(() => {
    sweeping ??= backgroundWork
      .during(sweep)
      .catch((error: unknown) => {
        if (!isUnreachable(error)) log.error({ err: error }, 'cannot refresh stale threads');
      })
      .finally(() => (sweeping = undefined));
  }, SWEEP_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
