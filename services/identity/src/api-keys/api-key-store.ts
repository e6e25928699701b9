import type { Clock } from '@parley/clock';
import { type Decision, notFound, Refused, refusal } from '@parley/errors';
import { createInFreeSlot, openAggregates, type Relay, slotTaken } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { type ApiKey, type ApiKeyEvent, revokeApiKey } from './api-key.ts';
import { encodeApiKeyEvent } from './api-key-proto.ts';

export type ApiKeys = Awaited<ReturnType<typeof openApiKeys>>;

export async function openApiKeys(db: Db, relay: Relay, clock: Clock, max: number) {
  const full = refusal('limit_reached', `an employee has at most ${max} API keys`);
  const keys = await openAggregates<ApiKey, ApiKeyEvent>({
    db,
    collection: 'api_keys',
    relay,
    clock,
    encode: encodeApiKeyEvent,
    indexes: [
      { name: 'digest', key: { 'secrets.digest': 1 }, unique: true },
      { name: 'employee_slot', key: { companyId: 1, employeeId: 1, slot: 1 }, unique: true },
    ],
    collisions: { employee_slot: slotTaken },
  });

  return {
    ...keys,
    /** The key of a secret; also finds expired secrets. */
    byDigest: (digest: string) => keys.acrossCompanies.findOne({ 'secrets.digest': digest }),
    /** Creates a key in a free slot; refuses when there is none. Exact under any concurrency. */
    createInFreeSlot: (
      { companyId, employeeId }: { companyId: string; employeeId: string },
      decide: (slot: number) => Decision<ApiKey, ApiKeyEvent>,
    ) => createInFreeSlot(keys.of(companyId), { among: { employeeId }, field: 'slot', max, full }, decide),
    async revoke(id: string): Promise<void> {
      // The operator and the gateway's cache name a key without naming its company.
      const key = await keys.acrossCompanies.get(id);
      if (!key) throw new Refused(notFound);
      await keys.of(key.companyId).change(id, revokeApiKey);
    },
    /** Those made before a time, or all. */
    async revokeAll(
      { companyId, employeeId }: { companyId: string; employeeId: string },
      before?: Date,
    ): Promise<void> {
      const own = keys.of(companyId);
      const filter = { employeeId, ...(before && { createdAt: { $lt: before } }) };
      for await (const key of own.find(filter, { slot: 1 })) await own.changeIfExists(key.id, revokeApiKey);
    },
    /** An employee's that were used since a time. */
    usedSince: (companyId: string, employeeId: string, since: Date) =>
      keys.of(companyId).find({ employeeId, lastUsedAt: { $gte: since } }, { slot: 1 }),
    /** Notes that a key was used at `now`. */
    async used(id: string, now: Date): Promise<void> {
      await keys.acrossCompanies.assign(id, { lastUsedAt: now });
    },
  };
}
