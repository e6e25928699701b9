import { decided } from '@parley/errors';
import { openGlobalDocuments } from '@parley/aggregates';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { builtInClients, type OAuthClient } from './oauth-client.ts';

/** Apps belong to no company: employees of any company may allow them. */
export type OAuthClients = Awaited<ReturnType<typeof openOAuthClients>>;

/** A client never changes but to be kept; one that has expired by its cached copy is read again. */
const CACHED_MS = 10_000;
const CACHED_MAX = 10_000;

export async function openOAuthClients(db: Db) {
  const clients = await openGlobalDocuments<OAuthClient>({
    db,
    collection: 'oauth_clients',
    indexes: [{ name: 'forget', key: { forgetAt: 1 }, partialFilterExpression: { forgetAt: { $type: 'date' } } }],
  });
  const cache = new LRUCache<string, OAuthClient>({ max: CACHED_MAX, ttl: CACHED_MS });
  return {
    startExpiry: clients.startExpiry,
    async add(client: OAuthClient): Promise<void> {
      await clients.create(decided(client));
    },
    /** Undefined for one that has expired, even if it has not been removed yet. */
    async get(id: string, now: Date): Promise<OAuthClient | undefined> {
      const cached = builtInClients.get(id) ?? cache.get(id);
      if (cached && !hasExpired(cached, now)) return cached;
      const client = await clients.get(id);
      if (!client || hasExpired(client, now)) return undefined;
      cache.set(id, client);
      return client;
    },
    async named(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const names = new Map<string, string>();
      for (const id of ids) if (builtInClients.has(id)) names.set(id, builtInClients.get(id)!.name);
      for await (const { id, name } of clients.find({ id: { $in: [...ids] } }, { id: 1 })) names.set(id, name);
      return names;
    },
    /** A client that became a grant stays. */
    async keep(id: string): Promise<void> {
      await clients.assign(id, { forgetAt: null });
    },
  };
}

function hasExpired({ forgetAt }: OAuthClient, now: Date): boolean {
  return forgetAt !== null && forgetAt <= now;
}
