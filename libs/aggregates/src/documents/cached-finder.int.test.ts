import { decided } from '@parley/errors';
import { testMongo } from '@parley/testkit';
import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { type Db, MongoClient } from 'mongodb';
import { type CachedFinder } from './cached-finder.ts';
import { openDocuments, type PlainDocuments } from './documents.ts';

interface Note {
  readonly id: string;
  readonly companyId: string;
  readonly at: number;
  readonly text: string;
  readonly long?: string;
}

const mongo = testMongo();
const client = new MongoClient(mongo.url, { monitorCommands: true });
afterAll(async () => {
  await client.close();
  await mongo.close();
});

let db: Db;
let notes: PlainDocuments<Note>;
/** Another process. */
let others: PlainDocuments<Note>;
let find: CachedFinder<Note, 'at' | 'text'>;
let commands: { filter: Record<string, unknown>; projection: object }[];
client.on('commandStarted', ({ commandName, command }) => {
  if (commandName === 'find') commands.push(command as never);
});

beforeEach(async () => {
  db = client.db(mongo.database('cached-finder').databaseName);
  const open = () =>
    openDocuments<Note>({
      db,
      collection: 'notes',
      indexes: [{ name: 'newest', key: { companyId: 1, at: -1 } }],
      reusesIds: true,
    });
  [notes, others] = [await open(), await open()];
  find = notes.cachedFinder(['at', 'text'], { max: 100, ageMaxMs: 60_000 });
  for (const [n, companyId] of ['com_1', 'com_1', 'com_1', 'com_2'].entries())
    await notes.of(companyId).create(decided({ id: `note_${n}`, companyId, at: n, text: `text ${n}`, long: 'x' }));
  commands = [];
});

const newest = () => find('com_1', { at: { $gte: 0 } }, { at: -1 }, 10);
const texts = async () => (await newest()).map(({ text }) => text);
const change = (of: PlainDocuments<Note>, id: string, fields: Partial<Note>) =>
  of.of('com_1').change(id, (note) => decided({ ...note, ...fields }));

it('a cached finder finds the documents of a company in their order, with the fields that were asked for', async () => {
  expect(await newest()).toEqual([2, 1, 0].map((n) => ({ id: `note_${n}`, at: n, text: `text ${n}` })));
  expect(await find('com_1', { at: { $gte: 1 } }, { at: 1 }, 1)).toMatchObject([{ text: 'text 1' }]);
});

it('a cached finder reads a document again only after another process has changed it, and answers the same object until then', async () => {
  const before = await newest();
  await change(others, 'note_1', { text: 'changed' });
  commands = [];
  const after = await newest();
  expect(after.map(({ text }) => text)).toEqual(['text 2', 'changed', 'text 0']);
  expect([after[0] === before[0], after[1] === before[1], after[2] === before[2]]).toEqual([true, false, true]);
  expect(commands.map(({ projection }) => projection)).toEqual([{ _version: 1 }, { at: 1, text: 1, _version: 1 }]);
  expect(commands[1]!.filter).toEqual({ _id: { $in: ['note_1'] } });
});

it('a cached finder follows assignments, new places in the order, and deletions of another process', async () => {
  await newest();
  await others.of('com_1').assign('note_0', { at: 9 });
  expect(await texts()).toEqual(['text 0', 'text 2', 'text 1']);
  await others.of('com_1').change('note_2', () => decided(null));
  expect(await texts()).toEqual(['text 0', 'text 1']);
});

it('a cached finder does not take a document for one that was deleted and had the same id and as many changes', async () => {
  await newest();
  for (const create of [
    (note: Note) => others.of('com_1').create(decided(note)),
    (note: Note) => others.bulk.createMissing([note]),
  ]) {
    await others.of('com_1').change('note_1', () => decided(null));
    await create({ id: 'note_1', companyId: 'com_1', at: 1, text: create.toString() });
    expect((await texts())[1]).toBe(create.toString());
  }
});

it('a cached finder answers a page as it was at one time when documents change between its two reads', async () => {
  let changes = 0;
  const collection = db.collection('notes');
  const found = collection.find.bind(collection);
  // Every list is followed by a change, so that the document that is read is never the one that was listed.
  const { cachedFinder } = await import('./cached-finder.ts');
  const racing = cachedFinder<Note, 'at' | 'text'>(
    Object.assign(Object.create(collection), {
      find(filter: object, options: object) {
        const cursor = found(filter as never, options);
        if (!('_id' in filter)) return cursor;
        return { toArray: async () => (await change(others, 'note_0', { at: 10 + ++changes }), cursor.toArray()) };
      },
    }),
    ['at', 'text'],
    { max: 100, ageMaxMs: 60_000 },
  );
  const page = await racing('com_1', { at: { $gte: 0 } }, { at: -1 }, 10);
  expect(changes).toBe(3);
  expect(page.map(({ at }) => at)).toEqual([13, 2, 1]);
});
