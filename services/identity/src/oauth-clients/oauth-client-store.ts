import { whileUnreachable, QUERY_TIME_MAX_MS } from '@parley/store';
import type { Collection, Db } from 'mongodb';
import type { OAuthClient } from './oauth-client.ts';

type StoredClient = { _id: string } & Omit<OAuthClient, 'id'>;

/** Apps belong to no company: anybody's employee may allow them. */
export interface OAuthClients {
  add(client: OAuthClient): Promise<void>;
  /** Undefined for one that is to be forgotten, even where the sweep has not come by yet. */
  get(id: string, now: Date): Promise<OAuthClient | undefined>;
  named(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** A client that became a grant stays. */
  keep(id: string): Promise<void>;
  readonly collection: Collection<StoredClient>;
}

export async function openOAuthClients(db: Db): Promise<OAuthClients> {
  const collection = db.collection<StoredClient>('oauth_clients');
  await collection.createIndex(
    { forgetAt: 1 },
    { name: 'forget', partialFilterExpression: { forgetAt: { $type: 'date' } } },
  );
  return {
    collection,
    async add({ id, ...fields }) {
      // Under its own new id, so a repeated write is the same write.
      await whileUnreachable(() => collection.replaceOne({ _id: id }, fields, { upsert: true }));
    },
    async get(id, now) {
      const stored = await whileUnreachable(() => collection.findOne({ _id: id }, { maxTimeMS: QUERY_TIME_MAX_MS }));
      if (!stored || (stored.forgetAt !== null && stored.forgetAt <= now)) return undefined;
      const { _id, ...fields } = stored;
      return { id: _id, ...fields };
    },
    async named(ids) {
      const found = await collection.find({ _id: { $in: [...ids] } }, { projection: { name: 1 } }).toArray();
      return new Map(found.map(({ _id, name }) => [_id, name]));
    },
    async keep(id) {
      await whileUnreachable(() => collection.updateOne({ _id: id }, { $set: { forgetAt: null } }));
    },
  };
}
