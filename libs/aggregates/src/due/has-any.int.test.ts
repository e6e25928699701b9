import { explainCommand, testMongo } from '@parley/testkit';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Collection, Db, Document } from 'mongodb';
import { outboxIndexes } from '../outbox/outbox.ts';
import { unclaimedPending } from '../relay/pending-documents.ts';
import { dueIndex } from './due-work.ts';
import { hasAny, pipelineOf } from './has-any.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

let db: Db;
let collections: Collection<Document>[];
beforeEach(() => {
  db = mongo.database('looks');
  collections = ['calls', 'messages', 'mails'].map((name) => db.collection(name));
});

describe('questions asked at the same time', () => {
  it('questions asked at the same time are one command, which says for each whether there is something', async () => {
    const [calls, messages, mails] = collections as [Collection, Collection, Collection];
    await messages.insertMany([{ at: 1 }, { at: 2 }, { at: 3 }]);
    await mails.insertOne({ at: 2 });
    const sent = collections.map((collection) => jest.spyOn(collection, 'aggregate'));
    const answers = await Promise.all([
      hasAny(calls, { at: 1 }),
      hasAny(messages, { at: { $gt: 1 } }),
      hasAny(mails, { at: 1 }),
      hasAny(mails, { at: 2 }),
    ]);
    expect(answers).toEqual([false, true, false, true]);
    expect(sent.flatMap(({ mock }) => mock.calls)).toHaveLength(1);
  });

  it('questions asked at the same time are answered with yes when one of them cannot be understood, so that its own query reports it', async () => {
    const [calls, messages] = collections as [Collection, Collection];
    expect(await Promise.all([hasAny(calls, { at: 1 }), hasAny(messages, { $nonsense: 1 })])).toEqual([true, true]);
    expect(await hasAny(calls, { at: 1 })).toBe(false);
  });

  it('questions asked at the same time do not mix databases', async () => {
    const other = mongo.database('other').collection<Document>('calls');
    await other.insertOne({ at: 1 });
    expect(await Promise.all([hasAny(collections[0]!, { at: 1 }), hasAny(other, { at: 1 })])).toEqual([false, true]);
  });

  it.each([
    ['timers_due', { _dueAt: { $lte: new Date() } }],
    ['commands_to_take', { _takeAt: { $lte: new Date() }, '_commands.kind': { $in: ['send'] } }],
    ['pending', unclaimedPending(new Date())],
    ['due', { 'due.at': { $lte: new Date() } }],
  ])('questions use the index %s although none is named', async (index, filter) => {
    const collection = collections[0]!;
    await collection.createIndexes([...outboxIndexes, dueIndex].map((one) => ({ ...one })));
    await collection.insertMany(Array.from({ length: 100 }, (_, at) => ({ at, _deleted: false })));
    const pipeline = pipelineOf([{ collection, filter: filter as Document }]);
    const plan = await explainCommand(db, { aggregate: 'calls', pipeline, cursor: {} });
    expect(plan).toMatchObject({ index, isUnindexed: false, docsExamined: 0 });
  });
});
