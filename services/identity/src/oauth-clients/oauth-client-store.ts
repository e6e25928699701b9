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

/** A client never changes but to be kept; one that is to be forgotten by what is remembered is looked up again. */
const REMEMBERED_MS = 10_000;
const REMEMBERED_MAX = 10_000;

export async function openOAuthClients(db: Db): Promise<OAuthClients> {
  const collection = db.collection<StoredClient>('oauth_clients');
  await collection.createIndex(
    { forgetAt: 1 },
    { name: 'forget', partialFilterExpression: { forgetAt: { $type: 'date' } } },
  );
  const remembered = new Map<string, { client: OAuthClient; until: number }>();
  return {
    collection,
    async add({ id, ...fields }) {
      // Under its own new id, so a repeated write is the same write.
      await whileUnreachable(() => collection.replaceOne({ _id: id }, fields, { upsert: true }));
    },
    async get(id, now) {
      const known = remembered.get(id);
      if (known && known.until > performance.now() && !isForgotten(known.client, now)) return known.client;
      const stored = await whileUnreachable(() => collection.findOne({ _id: id }, { maxTimeMS: QUERY_TIME_MAX_MS }));
      if (!stored) return undefined;
      const { _id, ...fields } = stored;
      const client = { id: _id, ...fields };
      if (isForgotten(client, now)) return undefined;
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(id, { client, until: performance.now() + REMEMBERED_MS });
      return client;
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

function isForgotten({ forgetAt }: OAuthClient, now: Date): boolean {
  return forgetAt !== null && forgetAt <= now;
}
