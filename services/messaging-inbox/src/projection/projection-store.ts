import type { Clock } from '@parley/clock';
import { decided, notFound, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { batch, batching, sharedResult } from '@parley/queues';
import {
  ALL_NUMBERS,
  applyFact,
  type InboxItem,
  isSameItem,
  type ItemFact,
  replacedItem,
  restoreFact,
} from './inbox-item.ts';
import { type InboxStore, readThreadItems } from './inbox-store.ts';
import {
  type AddedItem,
  type ItemsChange,
  joinParts,
  mergeChanges,
  planSummaries,
  summarizeThreads,
  type SummarizedThread,
} from './summary-plan.ts';
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
} from './thread.ts';

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
  /** Hides a call that has a voicemail, and shows one that has none. */
  relinkCall(companyId: string, callId: string): Promise<void>;
  /** Removes an item that its owner has deleted. */
  remove(companyId: string, itemId: string): Promise<InboxItem | undefined>;
  /** Summarises threads again after their items changed. */
  refresh(companyId: string, phone: string, scopes: readonly string[], change: ItemsChange): Promise<void>;
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

/** A request to summarise the threads with a number again. */
interface RefreshRequest {
  readonly companyId: string;
  readonly phone: string;
  readonly scopes: readonly string[];
  readonly change: ItemsChange;
}

const threadOfAllNumbers = ({ companyId, phone }: { readonly companyId: string; readonly phone: string }) =>
  threadId(companyId, ALL_NUMBERS, phone);

const NOTHING: SummaryParts = { latest: false, unseen: false };

/** Concurrent writers of one thread summarise it again this often; each time one summary is written. */
const ATTEMPTS_MAX = 100;

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

  /** Whichever of a call and its voicemail is stored last finds the other. Tells what that means for the threads. */
  async function linkVoicemail({ companyId, id, content, storedAt }: InboxItem): Promise<SummaryParts> {
    if (content.type === 'voicemail') return replaceCall(companyId, content.callId, storedAt);
    const voicemail = content.type === 'call' ? await voicemailOf(companyId, id) : undefined;
    return voicemail ? replaceCall(companyId, id, voicemail.storedAt) : NOTHING;
  }

  /** Calls that are stored together are looked up together. */
  const voicemailsOf = batch(
    async (
      calls: readonly { readonly companyId: string; readonly callId: string }[],
    ): Promise<(InboxItem | undefined)[]> => {
      const found: InboxItem[] = [];
      for (const [companyId, own] of Map.groupBy(calls, (call) => call.companyId)) {
        const ids = [...new Set(own.map(({ callId }) => callId))];
        const ofCalls = { 'content.type': 'voicemail', 'content.callId': { $in: ids } };
        for await (const item of items.of(companyId).find(ofCalls, { 'content.callId': 1 })) found.push(item);
      }
      const byCall = new Map(
        found.flatMap((item) => (item.content.type === 'voicemail' ? [[item.content.callId, item]] : [])),
      );
      return calls.map(({ callId }) => byCall.get(callId));
    },
    batching.reads,
  );
  const voicemailOf = (companyId: string, callId: string) => voicemailsOf({ companyId, callId });

  async function replaceCall(companyId: string, callId: string, replacedAt: number | null): Promise<SummaryParts> {
    let affected = NOTHING;
    await items.of(companyId).changeIfExists(callId, (call) => {
      const replaced = replacedItem(call, replacedAt);
      affected = affectedParts(call, replaced);
      return decided(replaced);
    });
    return affected;
  }

  /** One after the other within a process: one summary serves all changes that were made before it began. */
  const refreshThreads = batch(sharedResult(refreshAll), { keyBy: threadOfAllNumbers, max: Infinity });

  async function refreshAll(requests: readonly RefreshRequest[]): Promise<void> {
    const { companyId, phone } = requests[0]!;
    const change = mergeChanges(requests);
    const own = threads.of(companyId);
    // Threads that may be damaged are read from the database, because the cached state is the expected one.
    const read = change.isExact ? own.getRecent : own.get;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const known = await Promise.all(change.scopes.map((scope) => read(threadId(companyId, scope, phone))));
      const { items: wanted, reopenedAt } = planSummaries(change, known);
      if (reopenedAt !== undefined) await reopen(companyId, phone, reopenedAt);
      const found = await readThreadItems(store, { companyId, phone }, change.scopes, wanted);
      const summarized = summarizeThreads({ companyId, phone }, change, known, found);
      // With one command. A process that ends in between has not confirmed the items yet: they are applied again.
      const written = await Promise.all(summarized.map(writeThread));
      // All of them again, because the threads of business numbers copy the handling from that of all numbers.
      if (!written.includes(false)) return;
    }
    throw new Error('too many writers at one thread');
  }

  /** False when the thread has changed since its items were read. */
  async function writeThread({ before, after }: SummarizedThread): Promise<boolean> {
    if (!before) return (await threads.bulk.createMissing([after]))[0]!;
    const written = await threads
      .of(after.companyId)
      .change(before.id, (current) => decided(current.revision === before.revision ? after : current), before)
      .catch((error: unknown) => {
        // An empty thread was removed meanwhile.
        if (!(error instanceof Refused) || error.refusal !== notFound) throw error;
      });
    return written === after;
  }

  const refresh: InboxProjection['refresh'] = (companyId, phone, scopes, change) =>
    refreshThreads({ companyId, phone, scopes, change });

  /** Stores what is new; tells what that means for the threads. */
  async function storeItem(fact: ItemFact, known: InboxItem | undefined): Promise<StoredItem> {
    const { storedAt, claimedAs }: StorageTime = known ?? (await storageTimeOf(fact));
    const next = applyFact(undefined, fact, storedAt, clock.now());
    if (!known && (await items.bulk.createMissing([next]))[0]) {
      const linked = await linkVoicemail(next);
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

  return {
    refresh,
    async apply(fact, isNew = false) {
      const { companyId, phone } = fact;
      const known = isNew ? undefined : await items.of(companyId).getRecent(fact.id);
      if (known && fact.sequence !== 0 && known.sequence >= fact.sequence) {
        // It was applied before, but the process may have ended before the rest was done.
        await linkVoicemail(known);
        await refresh(companyId, phone, scopesOf(fact), { stored: [known] });
        return true;
      }
      const { item, affected, added } = await storeItem(fact, known);
      // The claim of a new item has to be settled.
      if (known && !affected.latest && !affected.unseen) return false;
      await refresh(companyId, phone, scopesOf(fact), { stored: [item], affected, added });
      return true;
    },
    async restore(fact, since) {
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
      await linkVoicemail(item);
      // Also when an event was faster: its claim was settled before this one was made.
      if (outcome !== 'unchanged' || !known)
        await refresh(fact.companyId, fact.phone, scopesOf(fact), { stored: [item] });
      return outcome;
    },
    async relinkCall(companyId, callId) {
      const own = items.of(companyId);
      const call = await own.get(callId);
      if (!call) return;
      const voicemail = await voicemailOf(companyId, callId);
      // A voicemail that came or went meanwhile has linked the call itself.
      const replace = (current: InboxItem) =>
        decided(current.replacedAt === call.replacedAt ? replacedItem(current, voicemail?.storedAt ?? null) : current);
      await own.change(call.id, replace, call);
    },
    async remove(companyId, itemId) {
      const item = await items.of(companyId).get(itemId);
      if (!item) return undefined;
      const change = await this.expectChange(companyId, item.phone, scopesOf(item));
      if (item.content.type === 'voicemail') await replaceCall(companyId, item.content.callId, null);
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

function scopesOf({ businessNumberId }: Pick<ItemFact, 'businessNumberId'>): string[] {
  return [businessNumberId, ALL_NUMBERS];
}
