import {
  type AbstractCursor,
  type Collection,
  type Db,
  ObjectId,
  type MongoClient,
  type WriteConcernSettings,
} from 'mongodb';
import { collidedIndex, isUnreachable } from '../mongo-errors.ts';

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

const BACKOFF_MS = [20, 50, 100, 200, 400, 800];
/** A restart of the embedded engine takes one to two seconds, on a busy machine ten. */
const GIVE_UP_MS = 12_000;

/**
 * Operations that are repeated here while the server is unreachable. With retryable writes the driver repeats reads and writes
 * of single documents itself, and the server does such a write once; it never repeats writes of many documents.
 * `insertMany` is a `bulkWrite`.
 */
const REPEATED = {
  embedded: [
    'findOne',
    'countDocuments',
    'insertOne',
    'updateOne',
    'updateMany',
    'deleteOne',
    'deleteMany',
    'bulkWrite',
    'findOneAndUpdate',
  ],
  server: ['updateMany', 'deleteMany'],
} as const;

type Operation = (...args: unknown[]) => Promise<unknown>;
type Repeat = <T>(work: () => Promise<T>) => Promise<T>;

const repeated = new WeakSet<object>();

/**
 * Whether a result or an error is that of a repeated operation. An earlier attempt, whose response was lost, may have been
 * done: an update that then finds nothing to do, or an insert that collides, may have met itself.
 */
export function wasRepeated(outcome: unknown): boolean {
  return typeof outcome === 'object' && outcome !== null && repeated.has(outcome);
}

/**
 * Makes the collections of a database repeat their operations while the server is unreachable. Once the connection is closed they
 * do not, because the driver would open it again.
 */
export function repeatOperations(db: Db, engine: Engine, isClosed: () => boolean): Db {
  const repeat: Repeat = (work) => whileUnreachable(work, isClosed);
  const open = db.collection.bind(db);
  const opened: Db['collection'] = (name, options) => {
    const collection = open<never>(name, options);
    for (const name of REPEATED[engine]) {
      const operation = collection[name].bind(collection) as Operation;
      Object.assign(collection, {
        [name]:
          name === 'insertOne'
            ? repeatInsert(operation, repeat)
            : (...args: unknown[]) => repeat(() => operation(...args)),
      });
    }
    if (engine === 'embedded') repeatQueries(collection, repeat);
    return collection as never;
  };
  return Object.assign(db, { collection: opened });
}

/** An id that the driver made is unique, so a repeated insert that collides with it was done before: files in GridFS rely on this. */
function repeatInsert(insert: Operation, repeat: Repeat): Operation {
  return async (...args) => {
    try {
      return await repeat(() => insert(...args));
    } catch (error) {
      const { _id } = args[0] as { _id?: unknown };
      if (!(_id instanceof ObjectId) || !wasRepeated(error) || collidedIndex(error) !== '_id_') throw error;
      return { acknowledged: true, insertedId: _id };
    }
  };
}

/** A query is repeated if its complete result is requested at once. */
function repeatQueries(collection: Collection<never>, repeat: Repeat): void {
  for (const name of ['find', 'aggregate'] as const) {
    const query = collection[name].bind(collection) as (...args: unknown[]) => AbstractCursor;
    const repeatable = (...args: unknown[]) => {
      const cursor = query(...args);
      const read = cursor.toArray.bind(cursor);
      const toArray = () =>
        repeat(() => {
          cursor.rewind();
          return read();
        });
      return Object.assign(cursor, { toArray });
    };
    Object.assign(collection, { [name]: repeatable });
  }
}

async function whileUnreachable<T>(work: () => Promise<T>, isClosed: () => boolean): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  const note = <Outcome>(outcome: Outcome, attempt: number): Outcome => {
    if (attempt > 0 && typeof outcome === 'object' && outcome !== null) repeated.add(outcome);
    return outcome;
  };
  for (let attempt = 0; ; attempt++) {
    try {
      return note(await work(), attempt);
    } catch (error) {
      const delay = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length - 1)] ?? 0;
      if (!isUnreachable(error) || performance.now() + delay > giveUpAt) throw note(error, attempt);
      await new Promise((resolve) => setTimeout(resolve, delay));
      if (isClosed()) throw note(error, attempt);
    }
  }
}
