import type { BackgroundWork, Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { isUnreachable } from '@parley/mongo';
import type { Telemetry } from '@parley/telemetry';
import { ALL_NUMBERS } from './inbox-item.ts';
import type { InboxStore } from './inbox-store.ts';
import type { InboxProjection } from './projection-store.ts';
import { dropClaims, type Thread } from './thread.ts';

/** A change of a running process finishes long before. */
const STALE_MS = 5000;
const SWEEP_EVERY_MS = 10_000;
const BATCH = 100;

/** A claim whose item does not come for so long was made by a process that has ended. */
const CLAIM_MS_MAX = 10 * 60_000;

/** Does what the process that changed the items of a thread did not come to. */
export async function refreshStale(
  store: InboxStore,
  projection: InboxProjection,
  { id, companyId, phone, scope, claims, pendingChanges }: Thread,
  now: Date,
): Promise<void> {
  const claimed = claims.map(({ itemId }) => itemId);
  const stored = await Array.fromAsync(store.items.of(companyId).find({ id: { $in: claimed } }, { id: 1 }));
  const changes = pendingChanges.filter(({ since }) => now.getTime() - since.getTime() > STALE_MS);
  const scopes = new Set([scope, ALL_NUMBERS, ...stored.map(({ businessNumberId }) => businessNumberId)]);
  const done = { stored, changes: changes.map((change) => change.id) };
  await projection.refresh(companyId, phone, [...scopes], done);
  const never = claims.filter(
    ({ itemId, storedAt }) =>
      now.getTime() - storedAt / 1000 > CLAIM_MS_MAX && !stored.some((item) => item.id === itemId),
  );
  if (never.length === 0) return;
  const ids = never.map(({ itemId }) => itemId);
  await store.threads.of(companyId).changeIfExists(id, (thread) => decided(dropClaims(thread, ids)));
}

/** Refreshes threads whose items were changed by a process that ended before it could summarise them. */
export function startStaleThreads(options: {
  store: InboxStore;
  projection: InboxProjection;
  clock: Clock;
  backgroundWork: BackgroundWork;
  telemetry: Pick<Telemetry, 'log'>;
}): { stop(): Promise<void> } {
  const { store, projection, clock, backgroundWork, telemetry } = options;
  let sweeping: Promise<void> | undefined;
  const sweep = async () => {
    const before = new Date(clock.now().getTime() - STALE_MS);
    const stale = store.threads.acrossCompanies.find({ staleSince: { $lt: before } }, { staleSince: 1 }, BATCH);
    for await (const thread of stale) await refreshStale(store, projection, thread, clock.now());
  };
  const timer = setInterval(() => {
    sweeping ??= backgroundWork
      .during(sweep)
      .catch((error: unknown) => {
        if (!isUnreachable(error)) telemetry.log.error({ err: error }, 'cannot refresh stale threads');
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
