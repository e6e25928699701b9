import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { trackBackgroundWork } from '@parley/clock';
import { createLog, startTelemetry } from '@parley/telemetry';
import { ownMongo, testMongo, waitUntil } from '@parley/testkit';
import { decided } from '@parley/errors';
import { connectMongo } from '@parley/mongo';
import { openDocuments, type PlainDocuments } from '../documents/documents.ts';

interface Task {
  readonly id: string;
  readonly companyId: string;
  readonly lane: string;
  readonly position: number;
  readonly note?: string;
  readonly labels?: readonly string[];
}

const mongo = testMongo();
let tasks: PlainDocuments<Task>;
let ids = 0;
const task = (fields: Partial<Task> = {}): Task => {
  ids += 1;
  return { id: `t_${ids}`, companyId: 'com_1', lane: `lane_${ids}`, position: ids, ...fields };
};
const page = (lane: string) => tasks.bulk.readPage({ filter: { lane }, sort: { position: 1 }, limit: 10 });

beforeAll(async () => {
  tasks = await openDocuments<Task>({ db: mongo.database('bulk'), collection: 'tasks' });
});
afterAll(() => mongo.close());

describe('bulk operations', () => {
  it('bulk operations create missing documents, and report which', async () => {
    const [one, two] = [task(), task()];
    expect(await tasks.bulk.createMissing([one])).toEqual([true]);
    expect(await tasks.bulk.createMissing([{ ...one, note: 'again' }, two])).toEqual([false, true]);
    expect(await tasks.of('com_1').get(one.id)).toEqual(one);
    expect(await tasks.of('com_1').get(two.id)).toEqual(two);
  });

  it('bulk operations change documents that have not changed since they were read, and report which', async () => {
    const lane = 'changing';
    await tasks.bulk.createMissing([task({ lane }), task({ lane, note: 'old' })]);
    const read = await page(lane);
    await tasks.of('com_1').change(read[0]!.id, (current) => decided({ ...current, note: 'faster' }));
    const to = ({ note: _, ...rest }: Task) => ({ ...rest, position: -1 });
    expect(await tasks.bulk.replaceUnchanged(read.map((from) => ({ from, to: to(from) })))).toEqual([false, true]);
    const [changed, other] = await page(lane);
    expect(changed).toEqual({ ...read[1], position: -1, note: undefined });
    expect(other).toMatchObject({ note: 'faster' });
  });

  it('bulk operations change documents in the same way', async () => {
    const lane = 'changing alike';
    await tasks.bulk.createMissing([task({ lane, note: 'a' }), task({ lane, note: 'b' }), task({ lane, note: 'c' })]);
    const read = await page(lane);
    await tasks.of('com_1').change(read[2]!.id, (current) => decided({ ...current, labels: ['faster'] }));
    const to = ({ note: _, ...rest }: Task) => ({ ...rest, labels: ['x'] });
    const changes = read.map((from) => ({ from, to: to(from) }));
    expect(await tasks.bulk.replaceUnchanged(changes)).toEqual([true, true, false]);
    expect((await page(lane)).map(({ note, labels }) => [note, labels])).toEqual([
      [undefined, ['x']],
      [undefined, ['x']],
      ['c', ['faster']],
    ]);
    // Their versions are known: they can be changed again without reading them.
    const again = changes.map(({ to: from }) => ({ from, to: { ...from, note: 'again' } }));
    expect(await tasks.bulk.replaceUnchanged(again.slice(0, 2))).toEqual([true, true]);
  });

  it('bulk operations assign fields to those that fit, so that a decision on the old ones is made again', async () => {
    const lane = 'assigning';
    const [one, two] = [task({ lane }), task({ lane })];
    await tasks.bulk.createMissing([one, two]);
    const [read] = await page(lane);
    const fields = { note: 'n' };
    const assignments = [one, two].map(({ id }) => ({ id, where: { position: one.position }, fields }));
    expect(await tasks.bulk.assignEach(assignments)).toBe(1);
    expect(await tasks.bulk.replaceUnchanged([{ from: read!, to: { ...read!, note: 'late' } }])).toEqual([false]);
    expect(await tasks.bulk.assignAll({ lane }, { note: 'all' })).toBe(2);
    expect((await page(lane)).map(({ note }) => note)).toEqual(['all', 'all']);
    expect(await tasks.bulk.removeAll({ lane })).toBe(2);
  });

  it.each([
    ['each its own values', (id: string) => `$note of ${id}`],
    ['the same values', () => 'same'],
  ])('bulk operations assign fields to many with the same guard: %s', async (_what, noteOf) => {
    const lane = 'assigning many';
    await tasks.bulk.removeAll({ lane });
    const some = Array.from({ length: 10 }, () => task({ lane, note: 'old', labels: ['x'] }));
    const other = task({ lane, labels: ['y'] });
    await tasks.bulk.createMissing([...some, other]);
    const [read, late] = await page(lane);
    await tasks.of('com_1').assign(late!.id, { note: 'changed' });
    const assignments = some.map(({ id }) => ({
      id,
      where: { note: 'old' },
      fields: { note: noteOf(id), labels: [] },
    }));
    const repeated = { ...assignments[0]!, fields: { note: 'second of one id', labels: [] } };
    const alone = { id: other.id, where: { note: null }, fields: { note: 'alone' } };
    expect(await tasks.bulk.assignEach([...assignments, repeated, alone])).toBe(10);
    const notes = some.map(({ id }) => (id === late!.id ? ['changed', ['x']] : [noteOf(id), []]));
    const found = await tasks.bulk.readPage({ filter: { lane }, sort: { position: 1 }, limit: 20 });
    expect(found.map(({ note, labels }) => [note, labels])).toEqual([...notes, ['alone', ['y']]]);
    expect(await tasks.bulk.replaceUnchanged([{ from: read!, to: { ...read!, note: 'late' } }])).toEqual([false]);
  });

  it('bulk operations find the first document of each lane', async () => {
    const some = ['a', 'a', 'b'].map((lane) => task({ lane, note: lane }));
    await tasks.bulk.createMissing(some.toReversed());
    const options = { by: 'lane', filter: { lane: { $in: ['a', 'b'] } }, sort: { lane: 1, position: 1 } } as const;
    const first = await tasks.bulk.firstOfEach({ ...options, fields: ['id', 'note'] });
    expect(first.toSorted((x, y) => x.lane.localeCompare(y.lane))).toEqual([
      { lane: 'a', id: some[0]!.id, note: 'a' },
      { lane: 'b', id: some[2]!.id, note: 'b' },
    ]);
    const having = { note: 'b' } as const;
    expect(await tasks.bulk.firstOfEach({ ...options, fields: ['note'], having, limit: 1 })).toEqual([
      { lane: 'b', note: 'b' },
    ]);
  });

  it('bulk operations count the values of a list', async () => {
    const lane = 'counted';
    await tasks.bulk.createMissing([['x', 'y'], ['x'], [], ['x']].map((labels) => task({ lane, labels })));
    const count = (limit: number) => tasks.bulk.countValues({ list: 'labels', filter: { lane, labels: 'x' }, limit });
    expect(await count(10)).toEqual(new Map(Object.entries({ x: 3, y: 1 })));
    expect((await count(2)).get('x')).toBe(2);
  });

  it('bulk operations find the documents of several companies at once', async () => {
    await tasks.bulk.createMissing([task({ companyId: 'com_2', lane: 'x' }), task({ companyId: 'com_3' })]);
    const found = await tasks.findByCompanies(['com_2', 'com_4'], { position: 1 });
    expect([...found].map(([companyId, own]) => [companyId, own.map(({ lane }) => lane)])).toEqual([['com_2', ['x']]]);
  });
});

it('bulk writes wait for a killed server, and report only written documents', async () => {
  const own = await ownMongo();
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const { db, close } = await connectMongo({ url: own.url, database: 'bulk', telemetry });
  const some = await openDocuments<Task>({ db, collection: 'tasks' });
  await some.bulk.createMissing([task({ id: 'before' })]);
  await own.kill();
  const writes = Promise.all([
    some.bulk.createMissing([task({ id: 'one' }), task({ id: 'before' })]),
    some.bulk.assignEach([{ id: 'before', where: {}, fields: { note: 'changed' } }]),
  ]);
  await own.start();
  expect(await writes).toEqual([[true, false], 1]);
  expect(await some.of('com_1').get('one')).toBeDefined();
  expect(await some.of('com_1').get('before')).toMatchObject({ note: 'changed' });
  await close();
  await own.close();
  await telemetry.stop();
}, 60_000);

it('a field that has expired is removed from all documents, and nothing else', async () => {
  const lane = 'expiring';
  await tasks.bulk.createMissing([task({ lane, note: 'old' }), task({ lane, note: 'new' })]);
  const removal = tasks.startFieldRemoval({
    field: 'note',
    expired: () => ({ note: 'old' }),
    everyMs: 20,
    backgroundWork: trackBackgroundWork(),
    log: createLog({ service: 'test', level: 'silent' }),
  });
  await waitUntil(async () => (await page(lane))[0]?.note === undefined, { what: 'the removal of the field' });
  await removal.stop();
  expect((await page(lane)).map(({ note }) => note)).toEqual([undefined, 'new']);
});
