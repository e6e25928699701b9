import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { openAggregates, type Relay } from '@parley/aggregates';
import { digest } from '@parley/secrets';
import type { Db } from 'mongodb';
import type { LookedUp } from './lookup-client.ts';
import { saveContext, type SavedContext, type SavedContextEvent } from './caller-context.ts';
import { encodeSavedContextEvent } from './caller-context-proto.ts';

export type SavedContexts = Awaited<ReturnType<typeof openSavedContexts>>;

export async function openSavedContexts(db: Db, relay: Relay, clock: Clock) {
  const aggregates = await openAggregates<SavedContext, SavedContextEvent>({
    db,
    collection: 'caller_contexts',
    relay,
    clock,
    encode: encodeSavedContextEvent,
  });
  // One document per company and number. The number is in it, but not in the id, which is logged and traced.
  const idOf = (companyId: string, phone: string) => `ctx_${digest(`${companyId} ${phone}`)}`;
  return {
    aggregates,
    get: (companyId: string, phone: string) => aggregates.of(companyId).get(idOf(companyId, phone)),
    /** Removes what was looked up until then; whether there was something. */
    async remove(companyId: string, phone: string, until: Date): Promise<boolean> {
      const own = aggregates.of(companyId);
      const left = await own.changeIfExists(idOf(companyId, phone), (saved) =>
        decided(saved.enrichedAt > until ? saved : null),
      );
      return left === null;
    },
    async save(companyId: string, phone: string, found: LookedUp, now: Date): Promise<void> {
      const identity = { id: idOf(companyId, phone), companyId, phone };
      await aggregates.of(companyId).upsert(identity.id, (known) => saveContext(known, identity, found, now));
    },
  };
}
