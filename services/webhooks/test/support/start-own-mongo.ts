import { ownMongo, type TestMongo, uniqueName } from '@parley/testkit';
import { MongoClient } from 'mongodb';

/** A separate MongoDB, so that the load does not affect other tests. */
export async function startOwnMongo(): Promise<TestMongo> {
  const server = await ownMongo();
  const client = new MongoClient(server.url);
  return {
    url: server.url,
    database: (name = 'test') => client.db(uniqueName(name)),
    async close() {
      await client.close();
      await server.close();
    },
  };
}
