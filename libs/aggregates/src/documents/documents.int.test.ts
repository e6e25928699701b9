import { movableClock, trackBackgroundWork } from '@parley/clock';
import { decided, type Due, dueIn, invalid, notFound, Refused, refusal, refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { createLog } from '@parley/telemetry';
import { testMongo, waitUntil } from '@parley/testkit';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from 'mongodb';
import { type Documents, openDocuments, openGlobalDocuments } from './documents.ts';
import { dueIndex } from '../due/due-work.ts';
import { createInFreeSlot, slotTaken } from './slots.ts';

interface Note {
  readonly id: string;
  readonly companyId: string;
  readonly text: string;
  readonly changes: number;
  readonly slot?: number;
  readonly due?: Due | null;
  readonly expiresAt?: Date;
  readonly tags?: readonly { readonly name: string }[];
}

const mongo = testMongo();
afterAll(() => mongo.close());
const log = createLog({ service: 'test', level: 'silent' });
const textTaken = invalid({ text: ['has already been taken'] });

let db: Db;
let notes: Documents<Note>;
/** Another process. */
let others: Documents<Note>;
const open = () =>
  openDocuments<Note>({
    db,
    collection: 'notes',
    indexes: [
      { name: 'text', key: { companyId: 1, text: 1 }, unique: true },
      {
        name: 'slot',
        key: { companyId: 1, slot: 1 },
        unique: true,
        partialFilterExpression: { slot: { $exists: true } },
      },
      { name: 'expiry', key: { expiresAt: 1 } },
      dueIndex,
    ],
    collisions: { text: textTaken, slot: slotTaken },
  });
beforeEach(async () => {
  db = mongo.database('documents');
  [notes, others] = [await open(), await open()];
});

const newNote = (details: Partial<Note> = {}): Note => ({
  id: newId('note'),
  companyId: 'com_1',
  text: newId('text'),
  changes: 0,
  ...details,
});
const create = (details: Partial<Note> = {}) => notes.of('com_1').create(decided(newNote(details)));
const changed = (note: Note) => decided({ ...note, changes: note.changes + 1 });
const versionOf = async (id: string): Promise<unknown> =>
  (await db.collection<{ _id: string; _version: number }>('notes').findOne({ _id: id }))?._version;
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Refused ? error.refusal : error),
  );

describe('documents', () => {
  it('documents are read as they were written, by id and by paths into them', async () => {
    const note = await create({ tags: [{ name: 'a' }] });
    const own = notes.of('com_1');
    expect(await own.get(note.id)).toEqual(note);
    expect(await own.findOne({ 'tags.name': 'a' })).toEqual(note);
    expect(await Array.fromAsync(own.find({ id: { $in: [note.id] } }, { text: 1, id: 1 }))).toEqual([note]);
    expect(await own.count(10, { text: note.text })).toBe(1);
    expect(await own.valuesOf('text', { id: note.id })).toEqual([note.text]);
  });

  it('documents of another company are unknown to every operation', async () => {
    const note = await create();
    const other = notes.of('com_2');
    expect([await other.get(note.id), await other.findOne({ text: note.text })]).toEqual([undefined, undefined]);
    expect([await other.count(10), await other.valuesOf('text')]).toEqual([0, []]);
    expect(await refusalOf(other.change(note.id, changed))).toEqual(notFound);
    expect(await other.changeIfExists(note.id, changed)).toBeUndefined();
    expect(await other.assign(note.id, { changes: 9 })).toBe(false);
    expect(await refusalOf(other.upsert(note.id, () => decided(newNote({ id: note.id, companyId: 'com_2' }))))).toEqual(
      notFound,
    );
    expect(await notes.of('com_1').get(note.id)).toEqual(note);
    expect(await notes.acrossCompanies.get(note.id)).toEqual(note);
  });

  it('documents are found by a value at a path, each request its own, and not by others', async () => {
    const tagged = (name: string, details: Partial<Note> = {}) =>
      newNote({ tags: [{ name: 'any' }, { name }], ...details });
    const [one, two, deleted] = [tagged('one'), tagged('two'), tagged('deleted')];
    const foreign = tagged('foreign', { companyId: 'com_2' });
    for (const note of [one, two, deleted, foreign]) await notes.of(note.companyId).create(decided(note));
    await notes.of('com_1').change(deleted.id, () => decided(null));
    const find = notes.of('com_1').batchFinder('tags.name');
    expect(await find('one')).toEqual(one);
    const found = await Promise.all(['two', 'one', 'unknown', 'deleted', 'foreign', 'two'].map((name) => find(name)));
    expect(found).toEqual([two, one, undefined, undefined, undefined, two]);
    expect(await notes.acrossCompanies.batchFinder('text')(foreign.text)).toEqual(foreign);
    const changed = await notes.of('com_1').change(found[0]!.id, (note) => decided({ ...note, changes: 1 }), found[0]);
    expect(changed.changes).toBe(1);
  });

  it('documents are all changed by concurrent writers of several processes', async () => {
    const note = await create();
    const writers = Array.from({ length: 30 }, (_, i) => (i % 2 ? notes : others).of('com_1'));
    await Promise.all(writers.map((writer) => writer.change(note.id, changed)));
    expect((await notes.of('com_1').get(note.id))?.changes).toBe(30);
  });

  it('documents are not written when a decision changes nothing', async () => {
    const note = await create();
    await notes.of('com_1').change(note.id, (current) => decided(current));
    expect(await versionOf(note.id)).toBe(1);
  });

  it('documents do not exist when they are deleted, and their unique keys are free', async () => {
    const note = await create();
    expect(await notes.of('com_1').change(note.id, () => decided(null))).toBeNull();
    expect(await db.collection('notes').countDocuments()).toBe(0);
    await create({ text: note.text });
  });

  it('documents refuse a change that collides', async () => {
    const [one, other] = [await create(), await create()];
    const take = notes.of('com_1').change(one.id, (current) => decided({ ...current, text: other.text }));
    expect(await refusalOf(take)).toEqual(textTaken);
    expect(await refusalOf(create({ text: other.text }))).toEqual(textTaken);
  });

  it('documents cannot be changed into another document', async () => {
    const note = await create();
    const change = notes.of('com_1').change(note.id, (current) => decided({ ...current, id: 'note_x' }));
    await expect(change).rejects.toThrow('another document');
  });
});

describe('a change', () => {
  it('a change of a document that may not exist returns undefined when there is none', async () => {
    const note = await create();
    expect(await notes.of('com_1').changeIfExists(note.id, changed)).toMatchObject({ changes: 1 });
    expect(await notes.of('com_1').changeIfExists('note_unknown', changed)).toBeUndefined();
    expect(await refusalOf(notes.of('com_1').changeIfExists(note.id, () => refused(textTaken)))).toEqual(textTaken);
  });

  it('a change that creates if there is none is applied for every concurrent caller', async () => {
    const note = newNote();
    const upsert = (by: Documents<Note>) => by.of('com_1').upsert(note.id, (current = note) => changed(current));
    await Promise.all(Array.from({ length: 20 }, (_, i) => upsert(i % 2 ? notes : others)));
    expect((await notes.of('com_1').get(note.id))?.changes).toBe(20);
  });

  it('a change has an outcome that is not stored', async () => {
    const note = await create();
    const decide = (current: Note) => ({ ...changed(current), outcome: `was ${current.changes}` });
    expect(await notes.of('com_1').changeWithOutcome(note.id, decide)).toMatchObject({
      state: { changes: 1 },
      outcome: 'was 0',
    });
    expect(await notes.of('com_1').get(note.id)).not.toHaveProperty('outcome');
  });

  it('a change of what was just read reads nothing, and reads again only after a conflict', async () => {
    const { id } = await create();
    const own = notes.of('com_1');
    const read = (await own.get(id))!;
    const found = (await own.findOne({ text: read.text }))!;
    let decisions = 0;
    const decide = (current: Note) => (decisions++, changed(current));
    expect(await own.change(read.id, decide, read)).toMatchObject({ changes: 1 });
    expect(decisions).toBe(1);
    expect(await own.change(found.id, decide, found)).toMatchObject({ changes: 2 });
    expect(decisions).toBe(3);
  });

  it('a change of fields alone is not lost to a decision that is made at the same time', async () => {
    const note = await create();
    const own = notes.of('com_1');
    const read = (await own.get(note.id))!;
    expect(await own.assign(note.id, { expiresAt: new Date(5) })).toBe(true);
    await own.change(read.id, changed, read);
    expect(await own.get(note.id)).toMatchObject({ expiresAt: new Date(5), changes: 1 });
  });
});

describe('numbered slots', () => {
  const full = refusal('limit_reached', 'three at most');
  const createInSlot = (by: Documents<Note>) =>
    createInFreeSlot(by.of('com_1'), { among: {}, field: 'slot', max: 3, full }, (slot) => decided(newNote({ slot })));

  it('numbered slots are never more than there may be, in however many processes', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => refusalOf(createInSlot(i % 2 ? notes : others))),
    );
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === full)).toHaveLength(17);
    expect((await notes.of('com_1').valuesOf('slot')).toSorted()).toEqual([0, 1, 2]);
  });

  it('numbered slots are free again when a document was deleted', async () => {
    const all = [await createInSlot(notes), await createInSlot(notes), await createInSlot(notes)];
    await notes.of('com_1').change(all[1]!.id, () => decided(null));
    expect((await createInSlot(notes)).slot).toBe(all[1]!.slot);
  });
});

describe('maintenance', () => {
  it('maintenance removes what has expired', async () => {
    const [old, current] = [await create({ expiresAt: new Date(1) }), await create({ expiresAt: new Date(9) })];
    const backgroundWork = trackBackgroundWork();
    const expired = () => ({ expiresAt: { $lte: new Date(5) } });
    const expiry = notes.startExpiry({ expired, everyMs: 60_000, backgroundWork, log });
    await waitUntil(async () => (await notes.of('com_1').get(old.id)) === undefined, { what: 'the expiry' });
    expect(await notes.of('com_1').get(current.id)).toEqual(current);
    await expiry.stop();
  });

  it('maintenance does due work once in several processes, and what it decides is written in the update that releases the lease', async () => {
    const clock = movableClock();
    const all = await Promise.all(Array.from({ length: 20 }, () => create({ due: dueIn(clock.now(), 60_000) })));
    const work = [notes, others].map((by) =>
      by.startDueWork({
        name: 'test',
        clock,
        backgroundWork: trackBackgroundWork(),
        log,
        concurrency: 4,
        leaseMs: 10_000,
        handle: async (_note, claim) =>
          void (await claim.finish((current) => decided({ ...current, due: null, changes: current.changes + 1 }))),
      }),
    );
    expect(await notes.of('com_1').count(100, { changes: 1 })).toBe(0);
    clock.setOffsetMs(60_000);
    await waitUntil(async () => (await notes.of('com_1').count(100, { changes: 1 })) === all.length, {
      what: 'the work',
    });
    await Promise.all(work.map((one) => one.stop()));
    expect(await db.collection('notes').countDocuments({ _dueLease: { $exists: true } })).toBe(0);
  });

  it('maintenance drops the outcome of due work that another process has taken over', async () => {
    const note = await create({ due: dueIn(new Date(), 0) });
    const late = Promise.withResolvers<Note | null | undefined>();
    const work = notes.startDueWork({
      name: 'test',
      clock: movableClock(),
      backgroundWork: trackBackgroundWork(),
      log,
      concurrency: 1,
      leaseMs: 60_000,
      async handle(_note, claim) {
        expect(await claim.renew()).toBe(true);
        await db
          .collection<{ _id: string }>('notes')
          .updateOne({ _id: note.id }, { $set: { '_dueLease.owner': 'another' }, $inc: { _version: 1 } });
        expect(await claim.renew()).toBe(false);
        late.resolve(await claim.finish(() => decided(null)));
      },
    });
    expect(await late.promise).toBeUndefined();
    await work.stop();
    expect(await notes.of('com_1').get(note.id)).toBeDefined();
  });
});

it('documents of no company are kept in the same way as those of one', async () => {
  const apps = await openGlobalDocuments<{ id: string; name: string }>({ db, collection: 'apps' });
  await apps.create(decided({ id: 'app_1', name: 'a' }));
  await apps.upsert('app_1', (current) => decided({ id: 'app_1', name: `${current?.name}b` }));
  expect(await apps.get('app_1')).toEqual({ id: 'app_1', name: 'ab' });
});
