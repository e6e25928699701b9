import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import {
  ALL_NUMBERS,
  type InboxItem,
  isSameItem,
  type ItemFact,
  restoreFact,
  viewName,
} from '../projection/inbox-item.ts';
import { type InboxStore, NEWEST_ITEM_FIRST } from '../projection/inbox-store.ts';
import type { InboxProjection } from '../projection/projection-store.ts';
import type { RebuildCounts } from './inbox-rebuild.ts';
import { isUsed, type Thread } from '../projection/thread.ts';
import type { Owners } from './owners.ts';
import { PAGE, pages } from './pages.ts';

export interface RebuildItemsDeps {
  readonly store: InboxStore;
  readonly projection: InboxProjection;
  readonly owners: Owners;
  readonly clock: Clock;
}

/** Clocks of replicas differ by less. */
const CLOCK_DIFFERENCE_MS_MAX = 5000;
/** Items that are stored at a time; those of one thread are written together. */
const PARALLEL = 8;

/**
 * Makes items and threads equal to the data of their owners, while events are applied. An item that an event has
 * changed since the rebuild began is newer than what was read of it. Items that neither has touched are orphaned.
 */
export async function rebuildItems(
  deps: RebuildItemsDeps,
  companyId: string,
  signal: AbortSignal,
): Promise<Omit<RebuildCounts, 'contacts' | 'removedContacts'>> {
  const { store, projection, owners, clock } = deps;
  const since = new Date(clock.now().getTime() - CLOCK_DIFFERENCE_MS_MAX);
  const addedVoicemails = new Set<string>();
  let items = 0;
  let addedItems = 0;

  async function restore(fact: ItemFact): Promise<void> {
    if ((await projection.restore(fact, since)) !== 'added') return;
    addedItems += 1;
    if (fact.content.type === 'voicemail') addedVoicemails.add(fact.id);
  }

  /** Most items equal the owner's data; those are only marked as existing, with one write. */
  async function apply(facts: readonly ItemFact[]): Promise<void> {
    items += facts.length;
    const found = await itemsById(facts.map(({ id }) => id));
    const now = clock.now();
    const isRight = (fact: ItemFact) => {
      const item = found.get(fact.id);
      if (!item) return false;
      return item.appliedAt >= since || isSameItem(item, restoreFact(item, fact, item.storedAt, now));
    };
    const right = facts.filter(isRight).map(({ id }) => id);
    await store.items.bulk.assignAll({ companyId, id: { $in: right }, appliedAt: { $lt: since } }, { appliedAt: now });
    await inParallel(
      facts.filter((fact) => !isRight(fact)),
      restore,
    );
    await inParallel(await unlinkedCalls(right.flatMap((id) => found.get(id) ?? [])), (callId) =>
      projection.relinkCall(companyId, callId),
    );
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

  for (const list of [owners.calls, owners.voicemails, owners.messages]) {
    for await (const part of list(companyId)) {
      signal.throwIfAborted();
      await apply(part);
    }
  }

  // One that was deleted between being read and being stored would stay: its event was applied before.
  if (addedVoicemails.size > 0)
    for await (const part of owners.voicemails(companyId)) for (const { id } of part) addedVoicemails.delete(id);
  for (const id of addedVoicemails) await projection.remove(companyId, id);

  let removedItems = addedVoicemails.size;
  let threads = 0;
  const threadsAfter = ({ scope, phone }: Thread) => ({
    scope: { $gte: scope },
    $or: [{ scope: { $gt: scope } }, { phone: { $gt: phone } }],
  });
  const all = pages<Thread>((last) =>
    store.threads.of(companyId).find(last ? threadsAfter(last) : {}, { scope: 1, phone: 1 }, PAGE),
  );
  for await (const page of all) {
    signal.throwIfAborted();
    for (const thread of page) {
      const { id, phone, scope } = thread;
      threads += 1;
      const stored = scope === ALL_NUMBERS ? await sweep(phone) : [];
      await projection.refresh(companyId, phone, [scope], { stored });
      // No list shows them. Those of all numbers are removed by the retention of texts.
      if (scope !== ALL_NUMBERS && !isUsed(thread))
        await store.threads.of(companyId).changeIfExists(id, (current) => decided(isUsed(current) ? current : null));
    }
  }
  return { items, addedItems, removedItems, threads };

  /** Removes orphaned items of a thread; returns one item of each number and kind, from which its numbers are listed. */
  async function sweep(phone: string): Promise<InboxItem[]> {
    const kept = new Map<string, InboxItem>();
    const nobodys: string[] = [];
    const hiddenCalls = new Set<string>();
    const voicemailCalls = new Set<string>();
    const own = store.items.of(companyId);
    const after = ({ createdAt, id }: InboxItem) => ({
      createdAt: { $lte: createdAt },
      $or: [{ createdAt: { $lt: createdAt } }, { id: { $lt: id } }],
    });
    const ofThread = { phone, views: viewName(ALL_NUMBERS, true) };
    const read = pages<InboxItem>((last) =>
      own.find({ ...ofThread, ...(last && after(last)) }, NEWEST_ITEM_FIRST, PAGE),
    );
    for await (const page of read) {
      for (const item of page) {
        if (item.appliedAt < since) {
          nobodys.push(item.id);
          continue;
        }
        kept.set(`${item.businessNumberId} ${item.content.type}`, item);
        if (item.replacedAt !== null) hiddenCalls.add(item.id);
        if (item.content.type === 'voicemail') voicemailCalls.add(item.content.callId);
      }
    }
    for (const id of nobodys) {
      const removed = await own.changeIfExists(id, (item) => decided(item.appliedAt < since ? null : item));
      if (removed === null) removedItems += 1;
    }
    for (const callId of hiddenCalls.difference(voicemailCalls)) await projection.relinkCall(companyId, callId);
    return [...kept.values()];
  }
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += PARALLEL)
    await Promise.all(all.slice(from, from + PARALLEL).map((one) => work(one)));
}
