import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { newId } from '@parley/secrets';
import { batch, sharedResult } from '@parley/queues';
import {
  ALL_NUMBERS,
  applyFact,
  type InboxItem,
  isSameItem,
  type ItemFact,
  replacedItem,
  restoreFact,
} from './inbox-item.ts';
import type { InboxStore } from './inbox-store.ts';
import { type AddedItem, joinParts } from './summary-plan.ts';
import { type ThreadSummaries, threadSummaries } from './thread-summaries.ts';
import {
  affectedParts,
  claimStorage,
  expectChange,
  newThread,
  storageTime,
  STORAGE_DELAY_MICROS,
  type SummaryParts,
  type Thread,
  threadId,
  threadOfAllNumbers,
} from './thread.ts';
import { voicemailLinks } from './voicemail-links.ts';

/** Projects the events of calls, voicemails and texts to items and threads. */
export interface InboxProjection {
  /**
   * Stores an item, or what is new about it; applying the same fact again changes nothing. Whether what lists of threads
   * show may have changed. `isNew`: its owner has just made it, so there is most likely no item to read.
   */
  apply(fact: ItemFact, isNew?: boolean): Promise<boolean>;
  /**
   * Applies a fact that was read from its owner, unless an event has changed the item since `since`: then the item is the
   * newer one. An item that stays as it was is only noted to be there still; its threads are left alone.
   */
  restore(fact: ItemFact, since: Date): Promise<'added' | 'changed' | 'unchanged'>;
  /**
   * `restore` for items that the inbox most likely does not have, with few commands; answers those that were added. Only claims are settled, in
   * the threads of all numbers: whoever calls it summarises all threads afterwards, and begins again if its process ends before.
   */
  addMissing(facts: readonly ItemFact[], since: Date): Promise<ItemFact[]>;
  /** Summarises all threads with a number again, from all of its items, and creates those that are missing. */
  summarizeAll: ThreadSummaries['summarizeAll'];
  /** Hides a call that has a voicemail, and shows one that has none. */
  relinkCall(companyId: string, callId: string): Promise<void>;
  /** Removes an item that its owner has deleted. */
  remove(companyId: string, itemId: string): Promise<InboxItem | undefined>;
  /** Summarises threads again after their items changed. */
  refresh: ThreadSummaries['refresh'];
  /**
   * Notes that items of a thread are about to change, in case the process ends before its summaries are refreshed.
   * Answers the id that `refresh` settles it by.
   */
  expectChange(companyId: string, phone: string, scopes: readonly string[]): Promise<string>;
}

/** When an item is stored, and the revision that its claim has given the thread of all numbers. */
interface StorageTime {
  readonly storedAt: number;
  readonly claimedAs?: number;
}

interface StoredItem {
  readonly item: InboxItem;
  readonly affected: SummaryParts;
  readonly added?: AddedItem | undefined;
}

export function inboxProjection(options: {
  store: InboxStore;
  clock: Clock;
  /** Microseconds since 1970. */
  nowMicros: () => number;
  /** Something was stored in a thread that was done. */
  reopen?: (companyId: string, phone: string, lastStoredAt: number) => Promise<void>;
}): InboxProjection {
  const { store, clock, nowMicros, reopen = async () => {} } = options;
  const { items, threads } = store;
  const { refresh, summarizeAll } = threadSummaries({ store, reopen });
  const links = voicemailLinks(store);

  /** Items that arrive together get their times in one write of the thread, instead of competing for it. */
  const claimTogether = batch(sharedResult(claimAll), { keyBy: threadOfAllNumbers, max: Infinity });

  async function claimAll(facts: readonly ItemFact[]): Promise<Thread> {
    const { companyId, phone } = facts[0]!;
    const ofPhone = threadOfAllNumbers(facts[0]!);
    const own = threads.of(companyId);
    const claimed = (current: Thread) =>
      decided(facts.reduce((thread, fact) => claimStorage(thread, fact, nowMicros(), clock.now()), current));
    const thread = await own.changeIfExists(ofPhone, claimed);
    if (thread) return thread;
    // A reader that finds no thread has observed everything until then: the first time is given once there is one.
    const empty = { ...newThread(companyId, ALL_NUMBERS, phone), lastStoredAt: nowMicros() - STORAGE_DELAY_MICROS };
    await threads.bulk.createMissing([empty]);
    return own.change(ofPhone, claimed);
  }

  async function claim(fact: ItemFact): Promise<StorageTime> {
    const thread = await claimTogether(fact);
    const storedAt = thread.claims.find(({ itemId }) => itemId === fact.id)?.storedAt ?? thread.lastStoredAt;
    return { storedAt, claimedAs: thread.revision };
  }

  /**
   * Outgoing items are never unseen, so an observation may cover one before it can be read: they need no claim. Whoever
   * applies them repeats that until their threads are summarised.
   */
  async function storageTimeOf(fact: ItemFact): Promise<StorageTime> {
    if (fact.direction === 'inbound') return claim(fact);
    const thread = await threads.of(fact.companyId).getRecent(threadId(fact.companyId, ALL_NUMBERS, fact.phone));
    return { storedAt: storageTime(thread?.lastStoredAt ?? 0, fact.createdAt, nowMicros()) };
  }

  /** Stores what is new; tells what that means for the threads. */
  async function storeItem(fact: ItemFact, known: InboxItem | undefined): Promise<StoredItem> {
    const { storedAt, claimedAs }: StorageTime = known ?? (await storageTimeOf(fact));
    const next = applyFact(undefined, fact, storedAt, clock.now());
    if (!known && (await items.bulk.createMissing([next]))[0]) {
      const linked = await links.link(next);
      const affected = joinParts(affectedParts(undefined, next), linked);
      return { item: next, affected, added: linked.unseen ? undefined : { claimedAs } };
    }
    let affected: SummaryParts = { latest: true, unseen: true };
    const item = await items.of(fact.companyId).upsert(fact.id, (current) => {
      const applied = applyFact(current, fact, storedAt, clock.now());
      // Another process that has just stored a new item may not have summarised it yet, and may not come to it.
      if (known) affected = affectedParts(current, applied);
      return decided(applied);
    });
    return { item, affected };
  }

  async function restore(fact: ItemFact, since: Date): ReturnType<InboxProjection['restore']> {
    const own = items.of(fact.companyId);
    const known = await own.get(fact.id);
    if (known && known.appliedAt >= since) return 'unchanged';
    const { storedAt } = known ?? (await claim(fact));
    let outcome: 'added' | 'changed' | 'unchanged' = 'unchanged';
    const item = await own.upsert(fact.id, (current) => {
      if (current && current.appliedAt >= since) return decided(current);
      const next = restoreFact(current, fact, storedAt, clock.now());
      outcome = !current ? 'added' : isSameItem(current, next) ? 'unchanged' : 'changed';
      return decided(next);
    });
    await links.link(item);
    // Also when an event was faster: its claim was settled before this one was made.
    if (outcome !== 'unchanged' || !known)
      await refresh(fact.companyId, fact.phone, scopesOf(fact), { stored: [item] });
    return outcome;
  }

  /** The item of a fact that was read from its owner, with what is known of its voicemail. */
  async function missingItem(fact: ItemFact): Promise<{ next: InboxItem; claimedAs: number | undefined }> {
    const { companyId, id, content, createdAt } = fact;
    const [claimed, voicemail] = await Promise.all([
      mayBeUnseen(fact) ? claim(fact) : undefined,
      content.type === 'call' ? links.voicemailOf(companyId, id) : undefined,
    ]);
    const storedAt = claimed?.storedAt ?? storageTime(0, createdAt, nowMicros());
    const item = restoreFact(undefined, fact, storedAt, clock.now());
    return { next: replacedItem(item, voicemail?.storedAt ?? null), claimedAs: claimed?.claimedAs };
  }

  /** Links an item that was just stored; most calls have their voicemail already, or none. */
  async function linkStored(item: InboxItem): Promise<SummaryParts> {
    const { companyId, id, content, replacedAt } = item;
    if (content.type !== 'call') return links.link(item);
    const voicemail = await links.voicemailOf(companyId, id);
    if ((voicemail?.storedAt ?? null) === replacedAt) return { latest: false, unseen: false };
    await links.relink(companyId, id);
    return { latest: true, unseen: true };
  }

  async function addMissing(facts: readonly ItemFact[], since: Date): Promise<ItemFact[]> {
    const missing = await Promise.all(facts.map(missingItem));
    const isCreated = await items.bulk.createMissing(missing.map(({ next }) => next));
    const created = missing.filter((_, index) => isCreated[index]);
    const linked = await Promise.all(created.map(({ next }) => linkStored(next)));
    const claimed = created.flatMap(({ next, claimedAs }, index) =>
      claimedAs === undefined ? [] : [{ item: next, claimedAs, isCounted: linked[index]!.unseen }],
    );
    await Promise.all([...Map.groupBy(claimed, ({ item }) => threadOfAllNumbers(item)).values()].map(settleClaims));
    const added = facts.filter((_, index) => isCreated[index]);
    // An event was faster, and may have settled its claim before this one was made.
    for (const fact of facts.filter((_, index) => !isCreated[index])) {
      if ((await restore(fact, since)) === 'added') added.push(fact);
      const item = await items.of(fact.companyId).get(fact.id);
      if (item) await refresh(item.companyId, item.phone, scopesOf(item), { stored: [item] });
    }
    return added;
  }

  /** Of new items of one thread. `isCounted`: the number of unseen items has changed in another way, too. */
  async function settleClaims(
    claimed: readonly { readonly item: InboxItem; readonly claimedAs: number; readonly isCounted: boolean }[],
  ): Promise<void> {
    const { item, claimedAs } = claimed[0]!;
    await refresh(item.companyId, item.phone, [ALL_NUMBERS], {
      stored: claimed.map((one) => one.item),
      affected: { latest: true, unseen: true },
      added: claimed.some(({ isCounted }) => isCounted) ? undefined : { claimedAs },
    });
  }

  return {
    refresh,
    summarizeAll,
    addMissing,
    restore,
    async apply(fact, isNew = false) {
      const { companyId, phone } = fact;
      const known = isNew ? undefined : await items.of(companyId).getRecent(fact.id);
      if (known && fact.sequence !== 0 && known.sequence >= fact.sequence) {
        // It was applied before, but the process may have ended before the rest was done.
        await links.link(known);
        await refresh(companyId, phone, scopesOf(fact), { stored: [known] });
        return true;
      }
      const { item, affected, added } = await storeItem(fact, known);
      // The claim of a new item has to be settled.
      if (known && !affected.latest && !affected.unseen) return false;
      await refresh(companyId, phone, scopesOf(fact), { stored: [item], affected, added });
      return true;
    },
    relinkCall: links.relink,
    async remove(companyId, itemId) {
      const item = await items.of(companyId).get(itemId);
      if (!item) return undefined;
      const change = await this.expectChange(companyId, item.phone, scopesOf(item));
      if (item.content.type === 'voicemail') await links.replaceCall(companyId, item.content.callId, null);
      await items.of(companyId).changeIfExists(itemId, () => decided(null));
      await refresh(companyId, item.phone, scopesOf(item), { changes: [change] });
      return item;
    },
    async expectChange(companyId, phone, scopes) {
      const change = { id: newId('chg'), since: clock.now() };
      for (const scope of scopes) {
        await threads
          .of(companyId)
          .changeIfExists(threadId(companyId, scope, phone), (thread) => decided(expectChange(thread, change)));
      }
      return change.id;
    },
  };
}

/** Others need no claim: see `storageTimeOf`. */
function mayBeUnseen({ direction, seenAt }: ItemFact): boolean {
  return direction === 'inbound' && seenAt === null;
}

function scopesOf({ businessNumberId }: Pick<ItemFact, 'businessNumberId'>): string[] {
  return [businessNumberId, ALL_NUMBERS];
}
