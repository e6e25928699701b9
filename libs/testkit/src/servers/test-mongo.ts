import { type Db, MongoClient } from 'mongodb';
import { testAddress } from './test-addresses.ts';
import { uniqueName } from '../utilities/unique-name.ts';

/** The MongoDB of this test run. */
export interface TestMongo {
  readonly url: string;
  /** A new, empty database with a unique name (`db.databaseName`); dropped by `close`. */
  database(name?: string): Db;
  close(): Promise<void>;
}

/** Opens the MongoDB of this test run; nothing connects before it is used. */
export function testMongo(): TestMongo {
  const url = testAddress('mongo');
  const client = new MongoClient(url);
  const databases: Db[] = [];
  return {
    url,
    database(name = 'test') {
      const database = client.db(uniqueName(name.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')));
      databases.push(database);
      return database;
    },
    async close() {
      await Promise.all(databases.map((database) => database.dropDatabase()));
      await client.close();
    },
  };
}
