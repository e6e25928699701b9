import { trackBackgroundWork } from '@parley/clock';
import { startTelemetry } from '@parley/telemetry';
import { ownMongo, startWireProxy, testMongo, uniqueName, type WireProxy } from '@parley/testkit';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GridFSBucket, MongoServerError } from 'mongodb';
import { connectMongo, type Mongo } from '../connection.ts';
import { collidedIndex } from '../mongo-errors.ts';
import { wasRepeated, engineOf } from './repeat-operations.ts';
import { expireByAge } from '../expiry.ts';

const { url } = testMongo();
const telemetry = startTelemetry({ service: 'directory', version: '0', logLevel: 'silent' });
afterAll(() => telemetry.stop());

let proxy: WireProxy;
let mongo: Mongo;

async function connectTo(engine: 'embedded' | 'server') {
  proxy = await startWireProxy(url, engine);
  mongo = await connectMongo({ url: proxy.url, database: uniqueName('engine'), telemetry });
}
interface Thing {
  _id: string;
  n: number;
}
const things = () => mongo.db.collection<Thing>('things');
const stored = () => things().findOne({ _id: 'a' });
const sent = (command: string) => proxy.commands.filter((name) => name === command).length;

describe.each(['embedded', 'server'] as const)('%s:', (engine) => {
  beforeEach(() => connectTo(engine));
  afterEach(async () => {
    await mongo.db.dropDatabase();
    await mongo.close();
    await proxy.close();
  });

  it('the embedded engine is recognised, and has a write concern that survives', () => {
    expect(engineOf(mongo.db)).toBe(engine);
    expect(mongo.db.writeConcern).toMatchObject(engine === 'server' ? { w: 'majority' } : { w: 1, journal: true });
  });

  it('the embedded engine keeps the write concern of the address', async () => {
    const own = await connectMongo({ url: `${proxy.url}&w=1&journal=false`, database: 'x', telemetry });
    expect(own.db.writeConcern).toMatchObject({ w: 1, journal: false });
    await own.close();
  });

  it('a write whose response was lost is sent again', async () => {
    await things().insertOne({ _id: 'a', n: 0 });
    proxy.loseResponse('update');
    const result = await things().updateOne({ _id: 'a', n: 0 }, { $set: { n: 1 } });
    expect(sent('update')).toBe(2);
    // Retryable writes return the first result; otherwise the second attempt finds that nothing is left to do.
    expect(result.modifiedCount).toBe(engine === 'server' ? 1 : 0);
    expect(wasRepeated(result)).toBe(engine === 'embedded');
    expect(await stored()).toMatchObject({ n: 1 });
  });

  it('an insert whose response was lost collides with itself only if the server does not remember it', async () => {
    proxy.loseResponse('insert');
    const error = await things()
      .insertOne({ _id: 'a', n: 0 })
      .catch((thrown: unknown) => thrown);
    expect(collidedIndex(error)).toBe(engine === 'server' ? undefined : '_id_');
    expect(wasRepeated(error)).toBe(engine === 'embedded');
    expect(await stored()).toMatchObject({ n: 0 });
  });

  it('an insert of many whose response was lost collides with itself only if the server does not remember it', async () => {
    proxy.loseResponse('insert');
    const error = await things()
      .insertMany([{ _id: 'a', n: 0 }], { ordered: false })
      .catch((thrown: unknown) => thrown);
    expect(wasRepeated(error)).toBe(engine === 'embedded');
    expect(await stored()).toMatchObject({ n: 0 });
  });

  it('a write of many documents is sent again, which the driver would not do', async () => {
    await things().insertMany(['a', 'b'].map((_id) => ({ _id, n: 0 })));
    proxy.loseResponse('update');
    const updated = await things().updateMany({ n: 0 }, { $set: { n: 1 } });
    proxy.loseResponse('delete');
    const deleted = await things().deleteMany({ n: 1 });
    expect([updated, deleted].map(wasRepeated)).toEqual([true, true]);
    expect(await things().countDocuments()).toBe(0);
  });

  it('a write that a primary refused while it stepped down is sent again', async () => {
    await things().insertOne({ _id: 'a', n: 0 });
    proxy.stepDown('update');
    expect(await things().updateOne({ _id: 'a' }, { $inc: { n: 1 } })).toMatchObject({ modifiedCount: 1 });
    expect(await stored()).toMatchObject({ n: 1 });
  });

  it('queries whose response was lost are sent again', async () => {
    await things().insertMany([1, 2, 3].map((n) => ({ _id: `${n}`, n })));
    proxy.loseResponse('find');
    expect(await things().find().sort({ n: -1 }).limit(2).toArray()).toMatchObject([{ n: 3 }, { n: 2 }]);
    proxy.loseResponse('find');
    expect(await things().findOne({ n: 2 })).toMatchObject({ n: 2 });
    proxy.loseResponse('aggregate');
    expect(
      await things()
        .aggregate([{ $count: 'all' }])
        .toArray(),
    ).toEqual([{ all: 3 }]);
  });

  it('a refusal is thrown at once', async () => {
    const refused = things().updateOne({ _id: 'a' }, { $set: { _id: 'b' } }, { upsert: true });
    await expect(refused).rejects.toBeInstanceOf(MongoServerError);
    expect(sent('update')).toBe(1);
  });

  it('a file is stored although the response about a part of it is lost', async () => {
    const bucket = new GridFSBucket(mongo.db, { chunkSizeBytes: 4 });
    const upload = bucket.openUploadStream('file');
    proxy.loseResponse('insert');
    await new Promise((resolve, reject) =>
      upload.on('error', reject).end(Buffer.from('a whole file'), () => resolve(1)),
    );
    const read = await Array.fromAsync(bucket.openDownloadStream(upload.id));
    expect(Buffer.concat(read as Buffer[]).toString()).toBe('a whole file');
  });

  it('documents expire by their age: by a TTL index, or by a sweep', async () => {
    const logged = mongo.db.collection<{ _id: string; at: Date }>('logged');
    await logged.createIndex({ at: 1 }, { name: 'at' });
    await logged.insertMany([0, Date.now()].map((at) => ({ _id: `${at}`, at: new Date(at) })));
    const expiry = await expireByAge({
      db: mongo.db,
      collection: logged,
      ageMs: 60_000,
      everyMs: 60_000,
      backgroundWork: trackBackgroundWork(),
      log: telemetry.log,
    });
    await expiry.stop();
    const index = (await logged.indexes()).find(({ name }) => name === 'at');
    expect(index?.expireAfterSeconds).toBe(engine === 'server' ? 60 : undefined);
    expect(sent('delete')).toBe(engine === 'server' ? 0 : 1);
    if (engine === 'embedded') expect(await logged.countDocuments()).toBe(1);
  });
});

it('a connection that was closed waits for no server', async () => {
  const own = await ownMongo();
  const { signal } = new AbortController();
  const url = `${own.url}&serverSelectionTimeoutMS=1000`;
  const connection = await connectMongo({ url, database: 'test', telemetry, signal });
  try {
    const there = connection.db.collection<Thing>('things');
    await there.insertOne({ _id: 'a', n: 1 });
    await own.kill();
    const reading = expect(there.findOne({ _id: 'a' })).rejects.toThrow();
    await connection.close();
    await own.start();
    await reading;
  } finally {
    await connection.close();
    await own.close();
  }
});
