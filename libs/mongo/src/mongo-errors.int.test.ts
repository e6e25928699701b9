import { testMongo } from '@parley/testkit';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { MongoClient, MongoServerError } from 'mongodb';
import { collidedIndex, isUnreachable } from './mongo-errors.ts';

const mongo = testMongo();
let client: MongoClient | undefined;
afterEach(() => client?.close());
afterAll(() => mongo.close());

describe('an error', () => {
  it('an error of a server that is not there is "unreachable"', async () => {
    client = new MongoClient('mongodb://127.0.0.1:9/?directConnection=true', { serverSelectionTimeoutMS: 50 });
    const error = await client
      .db('test')
      .command({ ping: 1 })
      .catch((thrown: unknown) => thrown);
    expect(isUnreachable(error)).toBe(true);
  });

  it('an error of a primary that steps down is "unreachable"', () => {
    expect(isUnreachable(new MongoServerError({ message: 'not primary', code: 10_107 }))).toBe(true);
  });

  it('an error of a socket that broke is "unreachable"', () => {
    expect(isUnreachable(Object.assign(new Error('write'), { code: 'EPIPE' }))).toBe(true);
  });

  it.each([new Error('no'), new MongoServerError({ message: 'bad', code: 2 }), undefined, 'no'])(
    'an error of another kind is not: %s',
    (error) => {
      expect(isUnreachable(error)).toBe(false);
    },
  );

  it('an error of a collision names the index, also one with a collation', async () => {
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
