import type { Db, MongoClient, WriteConcernSettings } from 'mongodb';

/**
 * What the server can do. `server`: a replica set or a sharded cluster, with retryable writes, TTL indexes and majorities.
 * `embedded`: the embedded engine, which has none of these; also a standalone server, which is treated like it.
 */
export type Engine = 'embedded' | 'server';

const engines = new WeakMap<MongoClient, Engine>();

/** Asks a connected server what it is. */
export async function detectEngine(client: MongoClient): Promise<Engine> {
  const { setName, msg } = await client.db('admin').command({ hello: 1 });
  const engine = setName !== undefined || msg === 'isdbgrid' ? 'server' : 'embedded';
  engines.set(client, engine);
  return engine;
}

/** The engine of a connection of `connectMongo`; any other connection is taken to be able to do nothing. */
export function engineOf(db: Db): Engine {
  return engines.get(db.client) ?? 'embedded';
}

/** The write concern of an address that names none. The embedded engine acknowledges a majority before its journal is written. */
export function defaultWriteConcern(engine: Engine): WriteConcernSettings {
  return engine === 'server' ? { w: 'majority' } : { w: 1, journal: true };
}
