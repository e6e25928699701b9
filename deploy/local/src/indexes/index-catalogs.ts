import path from 'node:path';
import { EXPIRY_INDEX, type IndexCatalog } from '@parley/mongo';
import { MongoClient } from 'mongodb';
import type { AloneServices } from '../alone/start-alone.ts';
import { services } from '../services.ts';

/** The services that have indexes. */
export const servicesWithDatabase = services.filter(({ hasDatabase }) => hasDatabase).map(({ name }) => name);

/** The committed catalog of a service, from which a new version builds its indexes before it is rolled out. */
export const catalogFile = (root: string, service: string): string =>
  path.join(root, 'services', service, 'indexes.json');

export const catalogText = (catalog: IndexCatalog): string => `${JSON.stringify(catalog, null, 2)}\n`;

/** The indexes of services that have just started with empty databases: all that their code declares. */
export async function declaredIndexes({ infrastructure }: AloneServices): Promise<ReadonlyMap<string, IndexCatalog>> {
  const catalogs = new Map<string, IndexCatalog>();
  for (const service of servicesWithDatabase) {
    const client = await MongoClient.connect(infrastructure.mongoUrls[service] ?? '');
    try {
      const db = client.db(`parley_${service.replaceAll('-', '_')}`);
      const collections = await db.listCollections({}, { nameOnly: true }).toArray();
      const entries = await Promise.all(
        collections.map(async ({ name }) => {
          const found = await db.collection(name).indexes();
          const own = found.filter((index) => index.name !== '_id_' && index.name !== EXPIRY_INDEX);
          // The version and the collation are defaults that servers name differently.
          return [name, own.map(({ v: _, collation: __, ...index }) => index).toSorted(byName)] as const;
        }),
      );
      const used = entries.filter(([, indexes]) => indexes.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1));
      catalogs.set(service, Object.fromEntries(used) as IndexCatalog);
    } finally {
      await client.close();
    }
  }
  return catalogs;
}

function byName(a: { name?: string }, b: { name?: string }): number {
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1;
}
