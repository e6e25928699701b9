import { microsecondTicker, systemClock } from '@parley/clock';
import {
  type CrashMoment,
  crashingDb,
  insertEntities,
  type StoredEntity,
  storedEntities,
  testMongo,
} from '@parley/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from 'mongodb';
import type { ItemFact } from '../projection/inbox-item.ts';
import { openInbox } from '../projection/inbox-store.ts';
import { markSeen } from '../inbox/mark-seen-store.ts';
import { inboxProjection } from '../projection/projection-store.ts';
import { refreshStale } from '../projection/start-stale-threads.ts';
import { newThread } from '../projection/thread.ts';
import type { Owners } from './owners.ts';
import { rebuildItems, type RebuildItemsDeps } from './rebuild-items.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const COMPANY = 'com_1';
const PEOPLE = ['+4520304050', '+4520304051', '+4520304052'];
const NUMBERS = ['num_1', 'num_2'];
const COLLECTIONS = ['inbox_items', 'inbox_threads'];
const LONG_AGO = Date.parse('2026-03-01T12:00:00Z') * 1000;
const PART = 10;
const tick = microsecondTicker(systemClock);
const never = new AbortController().signal;

/** The `n`th item of an owner: calls, every sixth with a voicemail, and texts, of several people and numbers. */
function anItem(n: number): ItemFact {
  const isVoicemail = n % 6 === 5;
  // A voicemail is of the same person and number as its call, which is the item before it.
  const of = isVoicemail ? n - 1 : n;
  const phone = PEOPLE[of % PEOPLE.length]!;
  const fact = {
    companyId: COMPANY,
    phone,
    businessNumberId: NUMBERS[Math.floor(of / 3) % NUMBERS.length]!,
    direction: n % 6 === 0 ? ('outbound' as const) : ('inbound' as const),
    from: phone,
    to: '+4570112233',
    createdAt: LONG_AGO + n * 1000,
    durationSecs: null,
    seenAt: null,
    sequence: 1,
  };
  const call = { type: 'call' as const, state: 'ended' as const, missed: true, summary: null, employee: null };
  const voicemail = { type: 'voicemail' as const, transcription: { sealed: `Words ${n}` }, listened: false };
  if (isVoicemail) return { ...fact, id: `vm_${n}`, content: { ...voicemail, callId: `call_${of}` } };
  if (n % 2 === 0) return { ...fact, id: `call_${n}`, content: { ...call, hasTranscription: false } };
  return { ...fact, id: `msg_${n}`, content: { type: 'message' } };
}
const items = Array.from({ length: 24 }, (_, n) => anItem(n));
const lateItems = Array.from({ length: 6 }, (_, n) => anItem(items.length + n));

/** The facts of the owners. */
let owned: readonly ItemFact[];
/** Who was erased after the owners were read. */
let erased: string | undefined;
const owners: Owners = {
  async *contacts() {},
  calls: () => list('call'),
  voicemails: () => list('voicemail'),
  messages: () => list('message'),
};
async function* list(type: string) {
  const all = owned.filter(({ content }) => content.type === type);
  for (let from = 0; from < all.length; from += PART) yield all.slice(from, from + PART);
}

async function open(db: Db): Promise<RebuildItemsDeps> {
  const store = await openInbox(db);
  const projection = inboxProjection({ store, clock: systemClock, nowMicros: tick });
  return {
    store,
    projection,
    owners,
    clock: systemClock,
    erased: { wasErased: async (_, [phone]) => phone === erased },
  };
}

const documentsOf = (db: Db): Promise<StoredEntity[][]> =>
  Promise.all(COLLECTIONS.map((name) => storedEntities(db, name)));

/** Everything that is shown of items and threads; when and by what they were stored is not. */
async function shown(db: Db) {
  const [itemDocuments, threads] = await documentsOf(db);
  return {
    items: itemDocuments!.map(({ appliedAt, storedAt, replacedAt, sequence, ...rest }) => ({
      ...rest,
      replaced: replacedAt !== null,
    })),
    threads: threads!.map(({ revision, lastStoredAt, staleSince, pendingChanges, ...rest }) => ({
      ...rest,
      businessNumberIds: rest['businessNumberIds'].toSorted(),
      callNumberIds: rest['callNumberIds'].toSorted(),
    })),
  };
}

/** An inbox that has everything; what it shows then, and once the late items have come. */
let complete: StoredEntity[][];
let before: Awaited<ReturnType<typeof shown>>;
let after: Awaited<ReturnType<typeof shown>>;
beforeAll(async () => {
  const db = mongo.database('complete');
  const { store, projection } = await open(db);
  await Promise.all(items.map((fact) => projection.apply(fact)));
  const mark = { companyId: COMPANY, phone: PEOPLE[0]!, businessNumberId: undefined, withMessages: true, at: 7 };
  await markSeen(store, projection, { ...mark, through: Number.MAX_SAFE_INTEGER });
  complete = await documentsOf(db);
  before = await shown(db);
  await Promise.all(lateItems.map((fact) => projection.apply(fact)));
  after = await shown(db);
}, 120_000);

let db: Db;
let deps: RebuildItemsDeps;
beforeEach(async () => {
  owned = items;
  erased = undefined;
  db = mongo.database('rebuild');
  deps = await open(db);
  const [storedItems, threads] = complete;
  await insertEntities(
    db,
    'inbox_items',
    storedItems!.map((item) => ({ ...item, appliedAt: new Date(0) })),
  );
  await insertEntities(db, 'inbox_threads', threads!);
}, 60_000);

/** Then it has lost every third unseen item, has an orphaned one, hides a call wrongly, and summarises wrongly. */
async function damage(): Promise<void> {
  const stored = db.collection<{ _id: string }>('inbox_items');
  const unseen = await stored.find({ seenAt: null }).sort({ _id: 1 }).toArray();
  await stored.deleteMany({ _id: { $in: unseen.filter((_, n) => n % 3 === 0).map(({ _id }) => _id) } });
  await stored.updateOne({ _id: 'call_2' }, { $set: { replacedAt: 5, unseenViews: [] } });
  await stored.updateOne({ _id: 'call_4' }, { $set: { replacedAt: null } });
  await insertEntities(db, 'inbox_items', [{ ...(await storedEntities(db, 'inbox_items'))[0], id: 'nobodys' }]);
  await db.collection('inbox_threads').updateMany({}, { $set: { withMessages: null, withoutMessages: null } });
}

describe('a rebuild of items', () => {
  it('a rebuild of items leaves what is right as it was', async () => {
    const counts = { items: items.length, addedItems: 0, removedItems: 0 };
    expect(await rebuildItems(deps, COMPANY, never)).toMatchObject(counts);
    expect(await shown(db)).toEqual(before);
  });

  it('a rebuild of items removes empty threads of business numbers, which no list shows', async () => {
    await insertEntities(db, 'inbox_threads', [newThread(COMPANY, 'num_1', '+4520304099')]);
    await rebuildItems(deps, COMPANY, never);
    expect(await shown(db)).toEqual(before);
  });

  it('a rebuild of items repairs missing, wrong and orphaned items', async () => {
    await damage();
    expect(await rebuildItems(deps, COMPANY, never)).toMatchObject({ items: items.length, removedItems: 1 });
    expect(await shown(db)).toEqual(before);
  });

  it('a rebuild of items makes an empty inbox complete', async () => {
    for (const name of COLLECTIONS) await db.collection(name).deleteMany({});
    const counts = { items: items.length, addedItems: items.length, removedItems: 0 };
    expect(await rebuildItems(deps, COMPANY, never)).toMatchObject(counts);
    // What was seen is lost with it.
    const withoutCounts = (threads: Record<string, any>[]) =>
      threads.map(({ withMessages, withoutMessages, ...rest }) => ({ ...rest, latest: withMessages.latestItem }));
    expect(withoutCounts((await shown(db)).threads)).toEqual(withoutCounts(before.threads));
  });

  it('a rebuild of items makes the threads of items that have lost all of theirs', async () => {
    await db.collection('inbox_threads').deleteMany({ phone: PEOPLE[1]! });
    expect(await rebuildItems(deps, COMPANY, never)).toMatchObject({ addedItems: 0, threads: before.threads.length });
    expect(await shown(db)).toEqual(before);
  });

  it('a rebuild of items stores nothing of a person who was erased since the owners were read', async () => {
    for (const name of COLLECTIONS) await db.collection(name).deleteMany({});
    erased = PEOPLE[2]!;
    await rebuildItems(deps, COMPANY, never);
    const phones = new Set((await documentsOf(db)).flat().map(({ phone }) => phone));
    expect([...phones].toSorted()).toEqual(PEOPLE.slice(0, 2));
  });

  it('a rebuild of items beside events about the same items counts each once and leaves no claim', async () => {
    for (const name of COLLECTIONS) await db.collection(name).deleteMany({});
    const other = await open(db);
    await Promise.all([rebuildItems(deps, COMPANY, never), ...items.map((fact) => other.projection.apply(fact))]);
    const unseen = ({ unseenViews }: StoredEntity) => (unseenViews as string[]).includes('all');
    const [stored, threads] = await documentsOf(db);
    for (const phone of PEOPLE) {
      const own = stored!.filter((item) => item['phone'] === phone);
      expect(threads!.find((thread) => thread['phone'] === phone && thread['scope'] === 'all')).toMatchObject({
        claims: [],
        withMessages: { unseenCount: own.filter(unseen).length },
      });
    }
    expect(stored).toHaveLength(items.length);
  });

  it('a rebuild of items shows a call again whose voicemail its owner no longer has', async () => {
    owned = items.filter(({ id }) => id !== 'vm_5');
    expect(await rebuildItems(deps, COMPANY, never)).toMatchObject({ removedItems: 1 });
    expect(await deps.store.items.of(COMPANY).get('call_4')).toMatchObject({ replacedAt: null });
  });

  it.each<[CrashMoment, number]>([
    ['before', 2],
    ['after', 3],
    ['before', 5],
    ['after', 7],
    ['before', 9],
    ['after', 11],
  ])(
    'a rebuild of items is repeated after its process crashed %s its write %i, while another replica stores what arrives',
    async (moment, nth) => {
      await damage();
      owned = [...items, ...lateItems];
      const crashing = await open(crashingDb(db, nth, moment).db);
      await expect(rebuildItems(crashing, COMPANY, never)).rejects.toThrow('the process is dead');
      const arrivals = lateItems.map((fact) => deps.projection.apply(fact));
      await Promise.all([rebuildItems(deps, COMPANY, never), ...arrivals]);
      const later = new Date(Date.now() + 60_000);
      for await (const thread of deps.store.threads.acrossCompanies.find({ staleSince: { $lt: later } }, { id: 1 }))
        await refreshStale(deps.store, deps.projection, thread, later);
      expect(await shown(db)).toEqual(after);
    },
    60_000,
  );
});
