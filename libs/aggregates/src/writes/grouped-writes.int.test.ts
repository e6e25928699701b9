import { decided, refused, refusal, Refused } from '@parley/errors';
import { connectMongo } from '@parley/mongo';
import { startTelemetry } from '@parley/telemetry';
import { startWireProxy, testMongo } from '@parley/testkit';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, Db } from 'mongodb';
import type { StoredDocument } from '../stored/stored-document.ts';
import { type Documents, openDocuments } from '../documents/documents.ts';
import { groupedWrites } from './grouped-writes.ts';

interface Note {
  readonly id: string;
  readonly companyId: string;
  readonly text: string;
  readonly changes: number;
}

const mongo = testMongo();
afterAll(() => mongo.close());

const ids = Array.from({ length: 20 }, (_, index) => `note_${index}`);
const newNote = (id: string, details: Partial<Note> = {}): Note => ({
  id,
  companyId: 'com_1',
  text: id,
  changes: 0,
  ...details,
});
const changed = (note: Note) => decided({ ...note, changes: note.changes + 1 });

let db: Db;
let notes: Documents<Note>;
/** Commands that reached the server, by name. */
let sent: string[];
beforeEach(async () => {
  db = mongo.database('grouped');
  sent = [];
  notes = await open(db);
});

const open = (onto: Db, recentMax = 0) =>
  openDocuments<Note>({
    db: onto,
    collection: 'notes',
    recentMax,
    indexes: [{ name: 'text', key: { companyId: 1, text: 1 }, unique: true }],
  });

/** The same database, whose collections record calls and may inject faults into writes of groups. */
function watched(onGroup: (call: () => unknown) => unknown = (call) => call()): Db {
  return Object.assign(Object.create(db) as Db, {
    collection: (name: string) =>
      new Proxy(db.collection(name), {
        get(target, member: keyof Collection) {
          const value = target[member] as unknown;
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            sent.push(member);
            const call = () => Reflect.apply(value, target, args) as unknown;
            return member === 'updateMany' ? onGroup(call) : call();
          };
        },
      }),
  });
}

const create = () => Promise.all(ids.map((id) => notes.of('com_1').create(decided(newNote(id)))));
const changesOf = async () =>
  (await Array.fromAsync(notes.of('com_1').find({}, { id: 1 }))).map(({ id, changes }) => [id, changes]);
const once = ids.toSorted().map((id) => [id, 1]);

describe('writes at the same time', () => {
  it('writes at the same time are sent together', async () => {
    await create();
    const own = await open(watched());
    sent = [];
    await Promise.all(ids.map((id) => own.of('com_1').change(id, changed)));
    expect(await changesOf()).toEqual(once);
    expect(sent.filter((name) => name === 'updateOne' || name === 'updateMany').length).toBeLessThan(5);
    expect(sent.filter((name) => name === 'findOne' || name === 'find').length).toBeLessThan(5);
  });

  it('writes at the same time are decided again only after a conflict', async () => {
    await create();
    let isFirst = true;
    const own = await open(
      watched(async (call) => {
        if (isFirst) {
          isFirst = false;
          await notes.of('com_1').change('note_3', changed);
        }
        return call();
      }),
    );
    await Promise.all(ids.map((id) => own.of('com_1').change(id, changed)));
    expect(await changesOf()).toEqual(once.map(([id, changes]) => [id, id === 'note_3' ? 2 : changes]));
  });

  it.each(['embedded', 'server'] as const)(
    'writes at the same time are done once when the response to all of them is lost: %s',
    async (engine) => {
      await create();
      const proxy = await startWireProxy(mongo.url, engine);
      const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
      const connection = await connectMongo({ url: proxy.url, database: db.databaseName, telemetry });
      const own = await open(connection.db);
      proxy.loseResponse('update');
      await Promise.all(ids.map((id) => own.of('com_1').change(id, changed)));
      expect(await changesOf()).toEqual(once);
      await connection.close();
      await Promise.all([proxy.close(), telemetry.stop()]);
    },
  );

  it('writes at the same time fail alone with what is wrong with them', async () => {
    await create();
    const [fine, colliding, refusing] = await Promise.allSettled([
      notes.of('com_1').change('note_1', changed),
      notes.of('com_1').change('note_2', (note) => decided({ ...note, text: 'note_9' })),
      notes.of('com_1').change('note_3', () => refused(refusal('conflict', 'no'))),
      notes.of('com_1').change('note_4', changed),
    ]);
    expect(fine.status).toBe('fulfilled');
    expect(colliding).toMatchObject({ status: 'rejected', reason: { code: 11000 } });
    expect(refusing).toMatchObject({ status: 'rejected', reason: expect.any(Refused) });
    expect((await notes.of('com_1').get('note_4'))?.changes).toBe(1);
  });

  it('writes at the same time create each document once, and report conflicts', async () => {
    await notes.of('com_1').create(decided(newNote('note_5')));
    const created = await Promise.allSettled(ids.map((id) => notes.of('com_1').create(decided(newNote(id)))));
    expect(created.map(({ status }) => status)).toEqual(ids.map((id) => (id === 'note_5' ? 'rejected' : 'fulfilled')));
    expect((await changesOf()).length).toBe(ids.length);
  });

  it('writes at the same time distinguish two updates of one version', async () => {
    await create();
    const collection = db.collection<StoredDocument>('notes');
    const writes = groupedWrites(collection);
    const update = (id: string, stamp: string) =>
      writes.update({
        id,
        version: 1,
        set: { text: stamp, _version: 2, _stamps: [stamp] },
        unset: [],
        push: {},
        stamp,
        deletes: false,
      });
    const done = await Promise.all([update('note_1', 'a'), update('note_1', 'b'), update('note_2', 'c')]);
    expect(done.filter(Boolean)).toHaveLength(2);
    const stored = await collection.findOne({ _id: 'note_1' });
    expect(stored?.['text']).toBe(done[0] ? 'a' : 'b');
  });
});

describe('a process that caches its writes', () => {
  it('a process that caches its writes decides without reading', async () => {
    const own = await open(watched(), 10);
    await own.of('com_1').create(decided(newNote('note_1')));
    sent = [];
    for (let n = 0; n < 3; n++) await own.of('com_1').change('note_1', changed);
    expect(sent).toEqual(['updateOne', 'updateOne', 'updateOne']);
    expect(await notes.of('com_1').get('note_1')).toMatchObject({ changes: 3 });
  });

  it('a process that caches its writes decides again on what another process has written', async () => {
    const own = await open(db, 10);
    await own.of('com_1').create(decided(newNote('note_1')));
    await notes.of('com_1').change('note_1', changed);
    expect(await own.of('com_1').change('note_1', changed)).toMatchObject({ changes: 2 });
  });

  it.each([
    ['that nothing changes', (note: Note) => (note.changes === 0 ? decided(note) : changed(note))],
    ['to refuse', (note: Note) => (note.changes === 0 ? refused(refusal('conflict', 'no')) : changed(note))],
    [
      'to throw',
      (note: Note) => {
        if (note.changes === 0) throw new Error('no');
        return changed(note);
      },
    ],
  ])('a process that caches its writes does not decide %s without having looked', async (_what, decide) => {
    const own = await open(db, 10);
    await own.of('com_1').create(decided(newNote('note_1')));
    await notes.of('com_1').change('note_1', changed);
    expect(await own.of('com_1').change('note_1', decide)).toMatchObject({ changes: 2 });
  });

  it('a process that caches its writes finds no document of another company, and no deleted one', async () => {
    const own = await open(db, 10);
    await own.of('com_1').create(decided(newNote('note_1')));
    expect(await own.of('com_2').changeIfExists('note_1', changed)).toBeUndefined();
    expect(await own.of('com_2').getRecent('note_1')).toBeUndefined();
    await notes.of('com_1').change('note_1', () => decided(null));
    expect(await own.of('com_1').changeIfExists('note_1', changed)).toBeUndefined();
    expect(await own.of('com_1').getRecent('note_1')).toBeUndefined();
  });

  it('a process that caches its writes keeps the most recently used ones, up to the limit', async () => {
    const own = await open(watched(), 2);
    for (const id of ['note_1', 'note_2', 'note_3']) await own.of('com_1').create(decided(newNote(id)));
    await own.of('com_1').getRecent('note_2');
    await own.of('com_1').create(decided(newNote('note_4')));
    sent = [];
    for (const id of ['note_2', 'note_4']) await own.of('com_1').getRecent(id);
    expect(sent).toEqual([]);
    await own.of('com_1').getRecent('note_3');
    expect(sent).toEqual(['findOne']);
  });
});
