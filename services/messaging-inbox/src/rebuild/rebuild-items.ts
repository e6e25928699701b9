import type { Clock } from '@parley/clock';
import type { ErasedPeople } from '@parley/personal-data';
import { pauseForRequests } from '@parley/queues';
import { type InboxItem, isSameItem, type ItemFact, restoreFact } from '../projection/inbox-item.ts';
import type { InboxStore } from '../projection/inbox-store.ts';
import type { InboxProjection } from '../projection/projection-store.ts';
import type { RebuildCounts } from './inbox-rebuild.ts';
import type { Owners } from './owners.ts';
import { inGroupsOf } from './pages.ts';
import { rebuildThreads } from './rebuild-threads.ts';

export interface RebuildItemsDeps {
  readonly store: InboxStore;
  readonly projection: InboxProjection;
  readonly owners: Owners;
  readonly clock: Clock;
  readonly erased: Pick<ErasedPeople, 'wasErased'>;
}

/** Clocks of replicas differ by less. */
const CLOCK_DIFFERENCE_MS_MAX = 5000;
/** Items that differ are stored so many at a time. */
const PARALLEL = 8;
/** Items that are stored between two pauses. */
const STEP = 200;

/**
 * Makes items and threads equal to the data of their owners, while events are applied. An item that an event has
 * changed since the rebuild began is newer than what was read of it. Items that neither has touched are orphaned.
 */
export async function rebuildItems(
  deps: RebuildItemsDeps,
  companyId: string,
  signal: AbortSignal,
): Promise<Omit<RebuildCounts, 'contacts' | 'removedContacts'>> {
  const { store, projection, owners, clock, erased } = deps;
  const since = new Date(clock.now().getTime() - CLOCK_DIFFERENCE_MS_MAX);
  const addedVoicemails = new Set<string>();
  let items = 0;
  let addedItems = 0;

  /** Most items equal the owner's data, which are only marked as existing with one write, or are missing. */
  async function apply(facts: readonly ItemFact[]): Promise<void> {
    items += facts.length;
    const found = await itemsById(facts.map(({ id }) => id));
    const now = clock.now();
    const [known, missing] = [facts.filter(({ id }) => found.has(id)), facts.filter(({ id }) => !found.has(id))];
    const isRight = (fact: ItemFact) => {
      const item = found.get(fact.id)!;
      return item.appliedAt >= since || isSameItem(item, restoreFact(item, fact, item.storedAt, now));
    };
    const right = known.filter(isRight).map(({ id }) => id);
    await store.items.bulk.assignAll({ companyId, id: { $in: right }, appliedAt: { $lt: since } }, { appliedAt: now });
    await inParallel(
      known.filter((fact) => !isRight(fact)),
      async (fact) => void (await projection.restore(fact, since)),
    );
    await add(missing);
    await inParallel(await unlinkedCalls(right.flatMap((id) => found.get(id) ?? [])), (callId) =>
      projection.relinkCall(companyId, callId),
    );
  }

  async function add(missing: readonly ItemFact[]): Promise<void> {
    // What was read of a person before an erasure is stored no more after it.
    const isErased = await Promise.all(
      missing.map(({ phone, createdAt }) => erased.wasErased(companyId, [phone], new Date(createdAt / 1000))),
    );
    const kept = missing.filter((_, index) => !isErased[index]);
    if (kept.length === 0) return;
    const added = await projection.addMissing(kept, since);
    addedItems += added.length;
    for (const { id, content } of added) if (content.type === 'voicemail') addedVoicemails.add(id);
  }

  /** Calls of voicemails that are not hidden by them. */
  async function unlinkedCalls(some: readonly InboxItem[]): Promise<string[]> {
    const storedAt = new Map(
      some.flatMap((item) => (item.content.type === 'voicemail' ? [[item.content.callId, item.storedAt]] : [])),
    );
    const calls = await itemsById([...storedAt.keys()]);
    return [...calls.values()].filter(({ id, replacedAt }) => replacedAt !== storedAt.get(id)).map(({ id }) => id);
  }

  async function itemsById(ids: readonly string[]): Promise<ReadonlyMap<string, InboxItem>> {
    if (ids.length === 0) return new Map();
    const found = store.items.bulk.readPage({
      filter: { companyId, id: { $in: ids } },
      sort: { id: 1 },
      limit: ids.length,
    });
    return new Map((await found).map((item) => [item.id, item]));
  }

  // Voicemails first: calls that have one are stored as hidden, without a second write.
  for (const list of [owners.voicemails, owners.calls, owners.messages]) {
    for await (const some of inGroupsOf(STEP, list(companyId))) {
      signal.throwIfAborted();
      await apply(some);
      await pauseForRequests();
    }
  }

  // One that was deleted between being read and being stored would stay: its event was applied before.
  if (addedVoicemails.size > 0)
    for await (const part of owners.voicemails(companyId)) for (const { id } of part) addedVoicemails.delete(id);
  for (const id of addedVoicemails) await projection.remove(companyId, id);

  const { threads, removedItems } = await rebuildThreads(deps, companyId, since, signal);
  return { items, addedItems, removedItems: removedItems + addedVoicemails.size, threads };
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += PARALLEL)
    await Promise.all(all.slice(from, from + PARALLEL).map((one) => work(one)));
}
