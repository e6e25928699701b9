import { microsecondTicker, systemClock } from '@parley/clock';
import { insertEntities, storedEntities, testMongo } from '@parley/testkit';
import { afterAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Db } from 'mongodb';
import { markSeen } from '../inbox/mark-seen-store.ts';
import type { ItemFact } from '../projection/inbox-item.ts';
import { openInbox } from '../projection/inbox-store.ts';
import { inboxProjection } from '../projection/projection-store.ts';
import { isUsed, type Thread } from '../projection/thread.ts';
import { call, voicemailOf } from '../../test/item-facts.ts';
import type { Owners } from './owners.ts';
import { rebuildItems } from './rebuild-items.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

const PEOPLE = ['+4520304050', '+4520304051', '+4520304052'];
const NUMBERS = ['num_1', 'num_2', 'num_3'];
const LONG_AGO = Date.parse('2026-03-01T12:00:00Z') * 1000;
const tick = microsecondTicker(systemClock);
const never = new AbortController().signal;

/** Something that happens with a person and a business number; `isUpdated`: and is told of twice. */
const happening = fc.record({
  person: fc.constantFrom(...PEOPLE),
  number: fc.constantFrom(...NUMBERS),
  kind: fc.constantFrom('missed', 'answered', 'outbound', 'voicemail', 'deleted voicemail', 'received', 'sent', 'seen'),
  isUpdated: fc.boolean(),
});
type Happening = typeof happening extends fc.Arbitrary<infer One> ? One : never;

function factsOf(companyId: string, { person: phone, number, kind }: Happening, n: number): ItemFact[] {
  const isOutbound = kind === 'outbound' || kind === 'sent';
  const fact: Omit<ItemFact, 'id' | 'content'> = {
    companyId,
    phone,
    businessNumberId: number,
    direction: isOutbound ? 'outbound' : 'inbound',
    from: phone,
    to: '+4570112233',
    createdAt: LONG_AGO + n * 10_000,
    durationSecs: null,
    seenAt: kind === 'answered' ? LONG_AGO + n * 10_000 : null,
    sequence: 1,
  };
  if (kind === 'seen') return [];
  if (kind === 'received' || kind === 'sent')
    return [{ ...fact, id: `${companyId}_msg_${n}`, content: { type: 'message' } }];
  const ofCall = { ...fact, id: `${companyId}_call_${n}`, content: call };
  if (!kind.endsWith('voicemail')) return [ofCall];
  return [
    ofCall,
    { ...fact, id: `${companyId}_vm_${n}`, createdAt: fact.createdAt + 10, content: voicemailOf(ofCall.id) },
  ];
}

async function open(db: Db) {
  const store = await openInbox(db);
  return { store, projection: inboxProjection({ store, clock: systemClock, nowMicros: tick }) };
}

const ofCompany = async (db: Db, collection: string, companyId: string) =>
  (await storedEntities(db, collection)).filter((entity) => entity['companyId'] === companyId);

/** What is shown of items and threads; not when and by what they were stored. */
async function shown(db: Db, companyId: string) {
  const items = await ofCompany(db, 'inbox_items', companyId);
  const threads = (await ofCompany(db, 'inbox_threads', companyId)) as unknown as Thread[];
  return {
    items: items.map(({ appliedAt, storedAt, replacedAt, sequence, ...rest }) => ({
      ...rest,
      isReplaced: replacedAt !== null,
    })),
    threads: threads
      .filter(isUsed)
      .map(({ revision, lastStoredAt, staleSince, pendingChanges, businessNumberIds, callNumberIds, ...rest }) => ({
        ...rest,
        businessNumberIds: businessNumberIds.toSorted(),
        callNumberIds: callNumberIds.toSorted(),
      })),
  };
}

type Replica = Awaited<ReturnType<typeof open>>;

/** Applies events of a company in two replicas; what the owners have then. */
async function live(
  replicas: readonly [Replica, Replica],
  companyId: string,
  history: readonly Happening[],
): Promise<ItemFact[]> {
  const owned: ItemFact[] = [];
  for (const [n, one] of history.entries()) {
    const [{ store, projection }, other] = n % 2 === 0 ? replicas : (replicas.toReversed() as [Replica, Replica]);
    const facts = factsOf(companyId, one, n);
    await Promise.all(facts.map((fact) => projection.apply(fact, true)));
    const last = facts.map((fact) => (one.isUpdated ? { ...fact, sequence: 2, durationSecs: 7 } : fact));
    if (one.isUpdated) for (const fact of last) await other.projection.apply(fact);
    if (one.kind === 'deleted voicemail') await projection.remove(companyId, last[1]!.id);
    owned.push(...(one.kind === 'deleted voicemail' ? last.slice(0, 1) : last));
    const mark = { companyId, phone: one.person, businessNumberId: one.number, withMessages: true, at: 7 };
    if (one.kind === 'seen') await markSeen(store, projection, { ...mark, through: Number.MAX_SAFE_INTEGER });
  }
  return owned;
}

const ownersOf = (owned: readonly ItemFact[], part: number): Owners => {
  const list = (type: string) =>
    async function* () {
      const all = owned.filter(({ content }) => content.type === type);
      for (let from = 0; from < all.length; from += part) yield all.slice(from, from + part);
    };
  return { async *contacts() {}, calls: list('call'), voicemails: list('voicemail'), messages: list('message') };
};

it('a rebuild of a random history shows what its events have shown, whatever was lost of it', async () => {
  const [original, damaged] = [mongo.database('live'), mongo.database('damaged')];
  const replicas = [await open(original), await open(original)] as const;
  const { store, projection } = await open(damaged);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { minLength: 1, maxLength: 20 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 2 })),
      fc.integer({ min: 1, max: 30 }),
      async (history, losses, part) => {
        const companyId = `com_${runs++}`;
        const owned = await live(replicas, companyId, history);
        const isLost = () => losses.next().value === 0;
        // What was seen is known to the inbox alone.
        const items = (await ofCompany(original, 'inbox_items', companyId)).filter(
          ({ seenAt }) => seenAt !== null || !isLost(),
        );
        const threads = (await ofCompany(original, 'inbox_threads', companyId)).filter(() => !isLost());
        const outdated = items.map((item) => ({ ...item, appliedAt: new Date(0) }));
        if (items.length > 0) await insertEntities(damaged, 'inbox_items', outdated);
        if (threads.length > 0) await insertEntities(damaged, 'inbox_threads', threads);
        const erased = { wasErased: async () => false };
        const deps = { store, projection, owners: ownersOf(owned, part), clock: systemClock, erased };
        const counts = await rebuildItems(deps, companyId, never);
        expect(counts).toMatchObject({ items: owned.length, addedItems: owned.length - items.length, removedItems: 0 });
        expect(await shown(damaged, companyId)).toEqual(await shown(original, companyId));
      },
    ),
    { numRuns: 10, endOnFailure: true },
  );
}, 300_000);
