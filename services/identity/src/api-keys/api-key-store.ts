import type { Clock } from '@parley/clock';
import { type Decision, notFound, Refused, refusal } from '@parley/errors';
import { type Aggregates, createInFreeSlot, openAggregates, type Relay, slotTaken } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { type ApiKey, type ApiKeyEvent, revokeApiKey } from './api-key.ts';
import { encodeApiKeyEvent } from './api-key-proto.ts';

export interface ApiKeys extends Aggregates<ApiKey, ApiKeyEvent> {
  /** The key of a secret; also finds expired secrets. */
  byDigest(digest: string): Promise<ApiKey | undefined>;
  /** Creates a key in a free slot; refuses when there is none. Exact under any concurrency. */
  createInFreeSlot(
    employee: { companyId: string; employeeId: string },
    decide: (slot: number) => Decision<ApiKey, ApiKeyEvent>,
  ): Promise<ApiKey>;
  revoke(id: string): Promise<void>;
  revokeAll(employee: { companyId: string; employeeId: string }): Promise<void>;
  /** Notes that a key was used at `now`. */
  used(id: string, now: Date): Promise<void>;
}

export async function openApiKeys(db: Db, relay: Relay, clock: Clock, max: number): Promise<ApiKeys> {
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
    byDigest: (digest) => keys.acrossCompanies.findOne({ 'secrets.digest': digest }),
    createInFreeSlot: ({ companyId, employeeId }, decide) =>
      createInFreeSlot(keys.of(companyId), { among: { employeeId }, field: 'slot', max, full }, decide),
    async revoke(id) {
      // The operator and the gateway's cache name a key without naming its company.
      const key = await keys.acrossCompanies.get(id);
      if (!key) throw new Refused(notFound);
      await keys.of(key.companyId).change(id, revokeApiKey);
    },
    async revokeAll({ companyId, employeeId }) {
      const own = keys.of(companyId);
      for await (const key of own.find({ employeeId }, { slot: 1 })) {
        await own.changeIfExists(key.id, revokeApiKey);
      }
    },
    async used(id, now) {
      await keys.acrossCompanies.assign(id, { lastUsedAt: now });
    },
  };
}
