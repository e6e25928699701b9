import { type OwnMongo, ownMongo, testMongo, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { MongoClient, MongoServerError } from 'mongodb';
import { collidedIndex, isUnreachable, whileUnreachable } from './mongo-errors.ts';

const mongo = testMongo();
let server: OwnMongo | undefined;
let client: MongoClient | undefined;
afterEach(async () => {
  await client?.close();
  await server?.close();
});
afterAll(() => mongo.close());

describe('work on a database that restarts', () => {
  it('is repeated until the server is back', async () => {
    const own = (server = await ownMongo());
    client = new MongoClient(own.url, { serverSelectionTimeoutMS: 100 });
    const things = client.db('test').collection<{ _id: string; n: number }>('things');
    await things.insertOne({ _id: 'a', n: 1 });
    await own.kill();
    let attempts = 0;
    const answer = whileUnreachable(async (attempt) => {
      attempts = attempt + 1;
      return things.findOne({ _id: 'a' });
    });
    await waitUntil(() => attempts > 1, { what: 'a second attempt' });
    await own.start();
    expect(await answer).toEqual({ _id: 'a', n: 1 });
  });

  it('is not repeated when the server refused', async () => {
    let attempts = 0;
    const work = whileUnreachable(async () => {
      attempts++;
      await mongo.database().command({ nonsense: 1 });
    });
    await expect(work).rejects.toBeInstanceOf(MongoServerError);
    expect(attempts).toBe(1);
  });
});

describe('an error', () => {
  it('of a server that is not there is "unreachable"', async () => {
    client = new MongoClient('mongodb://127.0.0.1:9/?directConnection=true', { serverSelectionTimeoutMS: 50 });
    const error = await client
      .db('test')
      .command({ ping: 1 })
      .catch((thrown: unknown) => thrown);
    expect(isUnreachable(error)).toBe(true);
  });

  it('of a primary that steps down is "unreachable"', () => {
    expect(isUnreachable(new MongoServerError({ message: 'not primary', code: 10_107 }))).toBe(true);
  });

  it('of a socket that broke is "unreachable"', () => {
    expect(isUnreachable(Object.assign(new Error('write'), { code: 'EPIPE' }))).toBe(true);
  });

  it.each([new Error('no'), new MongoServerError({ message: 'bad', code: 2 }), undefined, 'no'])(
    'of another kind is not: %s',
    (error) => {
      expect(isUnreachable(error)).toBe(false);
    },
  );

  it('of a collision names the index, also one with a collation', async () => {
    const things = mongo.database().collection<{ _id: string; email: string; phone: string }>('things');
    await things.createIndex({ email: 1 }, { name: 'email', unique: true, collation: { locale: 'en', strength: 2 } });
    await things.createIndex({ phone: 1 }, { name: 'phone', unique: true });
    const failing = (doc: { _id: string; email: string; phone: string }) =>
      things.insertOne(doc).then(
        () => undefined,
        (error: unknown) => collidedIndex(error),
      );
    expect(await failing({ _id: 'a', email: 'ada@a', phone: '1' })).toBeUndefined();
    expect(await failing({ _id: 'a', email: 'bob@a', phone: '2' })).toBe('_id_');
    expect(await failing({ _id: 'b', email: 'ADA@a', phone: '2' })).toBe('email');
    expect(await failing({ _id: 'b', email: 'index: x', phone: '1' })).toBe('phone');
    expect(collidedIndex(new Error('E11000 index: a'))).toBeUndefined();
  });
});
