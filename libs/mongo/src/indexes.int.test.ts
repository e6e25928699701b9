import { afterAll, describe, expect, it } from '@jest/globals';
import { testMongo } from '@parley/testkit';
import { createIndexes } from './indexes.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const key = { companyId: 1, slot: 1 } as const;

describe('indexes', () => {
  it.each([
    ['with other options', { name: 'slot', key }],
    ['of another key', { name: 'slot', key: { slot: 1 } }],
    ['of another name', { name: 'company_slot', key, unique: true, partialFilterExpression: { _deleted: false } }],
  ])('indexes that an earlier version created %s are replaced, also by two processes at once', async (_, earlier) => {
    const collection = mongo.database().collection('things');
    await collection.createIndexes([earlier]);
    const wanted = [
      { name: 'slot', key, unique: true, partialFilterExpression: { _deleted: false } },
      { name: 'text', key: { text: 1 } },
    ];
    await Promise.all([createIndexes(collection, wanted), createIndexes(collection, wanted)]);
    const found = (await collection.indexes()).filter(({ name }) => name !== '_id_');
    expect(found.toSorted((a, b) => a.name!.localeCompare(b.name!))).toMatchObject(wanted);
  });
});
