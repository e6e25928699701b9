import { testMongo } from '@parley/testkit';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection } from 'mongodb';
import type { StoredDocument } from '../stored/stored-document.ts';
import { type GuardedUpdate, guardedUpdates } from './guarded-update.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

let collection: Collection<StoredDocument>;
beforeEach(async () => {
  collection = mongo.database('guarded').collection<StoredDocument>('notes');
  await collection.insertMany(
    ['a', 'b', 'c'].map((_id) => ({ _id, text: 'old', list: [1], _version: 1, _stamps: ['first'], _deleted: false })),
  );
});

const update = (id: string, details: Partial<GuardedUpdate> = {}): GuardedUpdate => ({
  id,
  version: 1,
  unset: [],
  push: {},
  stamp: 'second',
  deletes: false,
  ...details,
  set: { ...details.set, _version: 2, _stamps: ['first', 'second'] },
});

async function apply(...updates: GuardedUpdate[]): Promise<number> {
  const { filter, pipeline } = guardedUpdates(updates);
  return (await collection.updateMany(filter, pipeline)).modifiedCount;
}

const stored = (id: string) => collection.findOne({ _id: id });

describe.each([
  ['alone', []],
  ['in a group', [update('c', { set: { text: 'other' }, push: { more: [7] }, unset: ['list'], guard: { x: null } })]],
])('a guarded update %s', (_how, others) => {
  const written = others.length + 1;

  it('a change is done on the version it was decided on', async () => {
    expect(await apply(update('a', { set: { text: 'new' } }), ...others)).toBe(written);
    expect(await stored('a')).toEqual({
      _id: 'a',
      text: 'new',
      list: [1],
      _version: 2,
      _stamps: ['first', 'second'],
      _deleted: false,
    });
    expect(await stored('b')).toMatchObject({ text: 'old', _version: 1 });
  });

  it('a guarded update leaves the document of another version as it is', async () => {
    const before = await stored('a');
    expect(await apply(update('a', { version: 3, set: { text: 'new' }, unset: ['list'] }), ...others)).toBe(
      written - 1,
    );
    expect(await stored('a')).toEqual(before);
  });

  it('a guarded update does nothing where there is no document', async () => {
    expect(await apply(update('unknown'), ...others)).toBe(written - 1);
    expect(await stored('unknown')).toBeNull();
  });

  it('a guarded update removes fields and appends to arrays, also to those that are not there', async () => {
    expect(
      await apply(update('a', { unset: ['text', 'absent'], push: { list: [2, 3], fresh: ['x'] } }), ...others),
    ).toBe(written);
    const { text, absent, list, fresh, more } = (await stored('a'))!;
    expect({ text, absent, list, fresh, more }).toEqual({ list: [1, 2, 3], fresh: ['x'] });
  });

  it('a guarded update stores values that look like expressions, and names with dots, as they are', async () => {
    const values = { text: '$list', nested: { 'one.two': '$$ROOT', list: ['$text'] }, none: null };
    expect(await apply(update('a', { set: values }), ...others)).toBe(written);
    expect(await stored('a')).toMatchObject(values);
  });

  it.each([
    ['a value', { 'lease.owner': 'me' }, { owner: 'me' }],
    ['no value, where it is absent', { 'lease.owner': null }, undefined],
    ['no value, where it is null', { 'lease.owner': null }, null],
  ])('a guarded update is done when a path has %s', async (_what, guard, lease) => {
    if (lease !== undefined) await collection.updateOne({ _id: 'a' }, { $set: { lease } });
    expect(await apply(update('a', { guard }), ...others)).toBe(written);
  });

  it.each([
    ['another value', { 'lease.owner': 'me' }, { owner: 'other' }],
    ['no value', { 'lease.owner': 'me' }, null],
    ['a value instead of none', { 'lease.owner': null }, { owner: 'other' }],
  ])('a guarded update is not done when a path has %s', async (_what, guard, lease) => {
    await collection.updateOne({ _id: 'a' }, { $set: { lease } });
    expect(await apply(update('a', { guard }), ...others)).toBe(written - 1);
    expect(await stored('a')).toMatchObject({ _version: 1 });
  });
});

it('two updates of one document are not both done', async () => {
  expect(await apply(update('a', { stamp: 'x' }), update('a', { stamp: 'y' }))).toBe(1);
});
