import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { newId } from '@parley/ids';
import { coalesceByKey } from './coalesce.ts';
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
  claimStorage,
  expectChange,
  newThread,
  type Settled,
  type Thread,
  threadId,
  threadIdParts,
  summarizeThread,
} from './thread.ts';

/** Projects the events of calls, voicemails and texts to items and threads. */
export interface InboxProjection {
  /** Stores an item, or what is new about it; applying the same fact again changes nothing. */
  apply(fact: ItemFact): Promise<void>;
  /**
   * Applies a fact that was read from its owner, unless an event has changed the item since `since`: then the item is the
   * newer one. An item that stays as it was is only noted to be there still; its threads are left alone.
   */
  restore(fact: ItemFact, since: Date): Promise<'added' | 'changed' | 'unchanged'>;
  /** Hides a call that has a voicemail, and shows one that has none. */
  relinkCall(companyId: string, callId: string): Promise<void>;
  /** Removes an item that its owner has deleted. */
  remove(companyId: string, itemId: string): Promise<void>;
  /** Summarises threads again after their items changed. */
  refresh(companyId: string, phone: string, scopes: readonly string[], done: ChangeDone): Promise<void>;
  /**
   * Notes that items of a thread are about to change, in case the process ends before its summaries are refreshed.
   * Answers the id that `refresh` settles it by.
   */
  expectChange(companyId: string, phone: string, scopes: readonly string[]): Promise<string>;
}

/** What has been done before a refresh. */
export interface ChangeDone {
  /** Items that are stored now, which settles their claims. */
  readonly stored?: readonly InboxItem[];
  /** Pending changes that are done, by their ids. */
  readonly changes?: readonly string[];
  /** Whether anything may have changed besides. */
  readonly unknown?: boolean;
}

/** Concurrent writers of one thread summarise it again this often; each time one summary is written. */
const ATTEMPTS_MAX = 100;

export function inboxProjection(options: {
  store: InboxStore;
  clock: Clock;
  /** Microseconds since 1970. */
  nowMicros: () => number;
}): InboxProjection {
  const { store, clock, nowMicros } = options;
  const { items, threads } = store;

  async function claim({ companyId, phone, id }: ItemFact): Promise<number> {
    const thread = await threads
      .of(companyId)
      .upsert(threadId(companyId, ALL_NUMBERS, phone), (current) =>
        decided(claimStorage(current ?? newThread(companyId, ALL_NUMBERS, phone), id, nowMicros(), clock.now())),
      );
    return thread.claims.find(({ itemId }) => itemId === id)?.storedAt ?? thread.lastStoredAt;
  }

  /** Whichever of a call and its voicemail is stored last finds the other. */
  async function linkVoicemail({ companyId, id, content, storedAt }: InboxItem): Promise<void> {
    if (content.type === 'voicemail') await replaceCall(companyId, content.callId, storedAt);
    if (content.type !== 'call') return;
    const voicemail = await voicemailOf(companyId, id);
    if (voicemail) await replaceCall(companyId, id, voicemail.storedAt);
  }

  const voicemailOf = (companyId: string, callId: string) =>
    items.of(companyId).findOne({ 'content.type': 'voicemail', 'content.callId': callId });

  async function replaceCall(companyId: string, callId: string, replacedAt: number | null): Promise<void> {
    await items.of(companyId).changeIfExists(callId, (call) => decided(replacedItem(call, replacedAt)));
  }

  /** One after the other within a process: one summary serves all changes that were made before it began. */
  const refreshThread = coalesceByKey<ChangeDone>(async (id, done) => {
    const { companyId, scope, phone } = threadIdParts(id);
    const own = threads.of(companyId);
    const settled: Settled = {
      stored: done.flatMap(({ stored = [] }) => stored),
      changes: done.flatMap(({ changes = [] }) => changes),
    };
    const changed = done.every(isOfMessages) ? 'messages' : 'all';
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const before = await own.get(id);
      const found = await readThreadItems(store, { companyId, scope, phone }, changed);
      let written = false;
      const summarize = (current: Thread | undefined): ReturnType<typeof decided<Thread>> => {
        const thread = current ?? newThread(companyId, scope, phone);
        written = thread.revision === (before?.revision ?? 0);
        return decided(written ? summarizeThread(thread, found, settled) : thread);
      };
      await (before ? own.changeFrom(before, summarize) : own.upsert(id, summarize));
      if (written) return;
    }
    throw new Error('too many writers at one thread');
  });

  const refresh: InboxProjection['refresh'] = async (companyId, phone, scopes, done) => {
    const refreshScope = (scope: string) => refreshThread(threadId(companyId, scope, phone), done);
    await Promise.all(scopes.filter((scope) => scope !== ALL_NUMBERS).map(refreshScope));
    // The last one, because it has the claims: once a claim is settled, every summary has the item.
    if (scopes.includes(ALL_NUMBERS)) await refreshScope(ALL_NUMBERS);
  };

  /** Whether the threads of an item that was stored before have it; one of an item that can change may not have its latest. */
  async function isSummarized({ companyId, phone, id, content }: InboxItem): Promise<boolean> {
    if (content.type !== 'message') return false;
    const thread = await threads.of(companyId).get(threadId(companyId, ALL_NUMBERS, phone));
    return thread !== undefined && !thread.claims.some(({ itemId }) => itemId === id);
  }

  async function storeItem(fact: ItemFact, known: InboxItem | undefined): Promise<InboxItem> {
    const storedAt = known?.storedAt ?? (await claim(fact));
    const next = applyFact(undefined, fact, storedAt, clock.now());
    if (!known && (await items.bulk.createMissing([next]))[0]) return next;
    return items
      .of(fact.companyId)
      .upsert(fact.id, (current) => decided(applyFact(current, fact, storedAt, clock.now())));
  }

  return {
    refresh,
    async apply(fact) {
      const known = await items.of(fact.companyId).get(fact.id);
      const isOld = known !== undefined && fact.sequence !== 0 && known.sequence >= fact.sequence;
      if (isOld && (await isSummarized(known))) return;
      const item = isOld ? known : await storeItem(fact, known);
      if (!isOld) await linkVoicemail(item);
      // Also for a fact that was applied before: the process may have ended between the item and its threads.
      await refresh(fact.companyId, fact.phone, scopesOf(fact), { stored: [item] });
    },
    async restore(fact, since) {
      const own = items.of(fact.companyId);
      const known = await own.get(fact.id);
      if (known && known.appliedAt >= since) return 'unchanged';
      const storedAt = known?.storedAt ?? (await claim(fact));
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
      await own.changeFrom(call, (current) =>
        decided(current.replacedAt === call.replacedAt ? replacedItem(current, voicemail?.storedAt ?? null) : current),
      );
    },
    async remove(companyId, itemId) {
      const item = await items.of(companyId).get(itemId);
      if (!item) return;
      const change = await this.expectChange(companyId, item.phone, scopesOf(item));
      if (item.content.type === 'voicemail') await replaceCall(companyId, item.content.callId, null);
      await items.of(companyId).changeIfExists(itemId, () => decided(null));
      await refresh(companyId, item.phone, scopesOf(item), { changes: [change] });
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

/** Then summaries without texts stay as they are. */
function isOfMessages({ stored = [], changes = [], unknown = false }: ChangeDone): boolean {
  return !unknown && changes.length === 0 && stored.every(({ content }) => content.type === 'message');
}
