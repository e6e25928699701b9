import type { Clock } from '@parley/clock';
import { type Decision, notFound, Refused, refusal } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import type { Db } from 'mongodb';
import { type ApiKey, type ApiKeyEvent, revokeApiKey } from './api-key.ts';
import { encodeApiKeyEvent } from './api-key-proto.ts';

export interface ApiKeys extends Aggregates<ApiKey, ApiKeyEvent> {
  /** Whose secret this is; expired secrets are found too. */
  byDigest(digest: string): Promise<ApiKey | undefined>;
  /** Creates a key in a free place; refuses when there is none. Exact under any concurrency: a place is taken once. */
  createInFreeSlot(
    employee: { companyId: string; employeeId: string },
    decide: (slot: number) => Decision<ApiKey, ApiKeyEvent>,
  ): Promise<ApiKey>;
  revoke(id: string): Promise<void>;
  revokeAll(employee: { companyId: string; employeeId: string }): Promise<void>;
  /** Notes that a key was used at `now`. */
  used(id: string, now: Date): Promise<void>;
}

const slotTaken = refusal('conflict', 'the place was taken in the same moment');

export async function openApiKeys(db: Db, relay: Relay, clock: Clock, max: number): Promise<ApiKeys> {
  const live = { partialFilterExpression: { _deleted: false } };
  const keys = await openAggregates<ApiKey, ApiKeyEvent>({
    db,
    collection: 'api_keys',
    relay,
    clock,
    encode: encodeApiKeyEvent,
    indexes: [
      { name: 'digest', key: { 'secrets.digest': 1 }, unique: true, ...live },
      { name: 'employee_slot', key: { companyId: 1, employeeId: 1, slot: 1 }, unique: true, ...live },
    ],
    collisions: { employee_slot: slotTaken },
  });

  async function freeSlots(companyId: string, employeeId: string): Promise<number[]> {
    const taken = new Set<number>();
    for await (const key of keys.of(companyId).find({ employeeId }, { slot: 1 }, max)) taken.add(key.slot);
    return Array.from({ length: max }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  }

  return {
    ...keys,
    byDigest: (digest) => keys.acrossCompanies.findOne({ 'secrets.digest': digest } as never),
    async createInFreeSlot({ companyId, employeeId }, decide) {
      for (;;) {
        const free = await freeSlots(companyId, employeeId);
        const slot = free[Math.floor(Math.random() * free.length)];
        if (slot === undefined) throw new Refused(refusal('limit_reached', `an employee has at most ${max} API keys`));
        try {
          return await keys.of(companyId).create(decide(slot));
        } catch (error) {
          if (!(error instanceof Refused && error.refusal === slotTaken)) throw error;
        }
      }
    },
    async revoke(id) {
      // The operator and the gateway's cache name a key without naming its company.
      const key = await keys.acrossCompanies.get(id);
      if (!key) throw new Refused(notFound);
      await keys.of(key.companyId).change(id, revokeApiKey);
    },
    async revokeAll({ companyId, employeeId }) {
      const own = keys.of(companyId);
      for await (const key of own.find({ employeeId }, { slot: 1 })) {
        await own.change(key.id, revokeApiKey).catch((error: unknown) => {
          if (!(error instanceof Refused && error.refusal.code === 'not_found')) throw error;
        });
      }
    },
    async used(id, now) {
      await keys.collection.updateOne({ _id: id, _deleted: false } as never, { $set: { lastUsedAt: now } } as never);
    },
  };
}
