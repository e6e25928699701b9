import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
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
import { claimStorage, newThread, type Thread, threadId, threadIdParts, summarizeThread } from './thread.ts';

/** Keeps items and threads equal to what the owners of calls, voicemails and texts say. */
export interface InboxProjection {
  /** Stores an item, or what is new about it; applying the same fact again changes nothing. */
  apply(fact: ItemFact): Promise<void>;
  /**
   * Applies a fact that was read from its owner, unless an event has changed the item since `since`: then the item is the
   * newer one. An item that stays as it was is only noted to be there still; its threads are left alone.
   */
  restore(fact: ItemFact, since: Date): Promise<'added' | 'changed' | 'unchanged'>;
  /** Removes an item that its owner has deleted. */
  remove(companyId: string, itemId: string): Promise<void>;
  /** Summarises threads again after their items changed. */
  refresh(companyId: string, phone: string, scopes: readonly string[], stored?: InboxItem): Promise<void>;
  /** Notes that the summaries of a thread are about to be out of date, in case the process ends before they are refreshed. */
  expectChange(companyId: string, phone: string, scopes: readonly string[]): Promise<void>;
}

/** Writers that meet on one thread summarise it again this often; each time somebody's summary was written. */
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
    const voicemail = await items.of(companyId).findOne({ 'content.type': 'voicemail', 'content.callId': id });
    if (voicemail) await replaceCall(companyId, id, voicemail.storedAt);
  }

  async function replaceCall(companyId: string, callId: string, replacedAt: number | null): Promise<void> {
    await items.of(companyId).changeIfExists(callId, (call) => decided(replacedItem(call, replacedAt)));
  }

  /** One after the other within a process: one summary serves all changes that were made before it began. */
  const refreshThread = coalesceByKey<InboxItem>(async (id, stored) => {
    const { companyId, scope, phone } = threadIdParts(id);
    const own = threads.of(companyId);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const before = (await own.get(id)) ?? newThread(companyId, scope, phone);
      const found = await readThreadItems(store, before);
      let written = false;
      await own.upsert(id, (current): ReturnType<typeof decided<Thread>> => {
        const thread = current ?? newThread(companyId, scope, phone);
        written = thread.revision === before.revision;
        return decided(written ? summarizeThread(thread, found, stored) : thread);
      });
      if (written) return;
    }
    throw new Error('too many writers at one thread');
  });

  const refresh: InboxProjection['refresh'] = async (companyId, phone, scopes, stored) => {
    await Promise.all(scopes.map((scope) => refreshThread(threadId(companyId, scope, phone), stored)));
  };
  const scopesOf = ({ businessNumberId }: Pick<ItemFact, 'businessNumberId'>) => [businessNumberId, ALL_NUMBERS];

  return {
    refresh,
    async apply(fact) {
      const own = items.of(fact.companyId);
      const known = await own.get(fact.id);
      const isOld = known !== undefined && fact.sequence !== 0 && known.sequence >= fact.sequence;
      let item = known;
      if (!isOld) {
        const storedAt = known?.storedAt ?? (await claim(fact));
        item = await own.upsert(fact.id, (current) => decided(applyFact(current, fact, storedAt, clock.now())));
        await linkVoicemail(item);
      }
      // Also for a fact that was applied before: the process may have ended between the item and its threads.
      await refresh(fact.companyId, fact.phone, scopesOf(fact), item);
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
      if (outcome !== 'unchanged' || !known) await refresh(fact.companyId, fact.phone, scopesOf(fact), item);
      return outcome;
    },
    async remove(companyId, itemId) {
      const item = await items.of(companyId).get(itemId);
      if (!item) return;
      if (item.content.type === 'voicemail') await replaceCall(companyId, item.content.callId, null);
      await this.expectChange(companyId, item.phone, scopesOf(item));
      await items.of(companyId).changeIfExists(itemId, () => decided(null));
      await refresh(companyId, item.phone, scopesOf(item));
    },
    async expectChange(companyId, phone, scopes) {
      for (const scope of scopes) {
        await threads
          .of(companyId)
          .changeIfExists(threadId(companyId, scope, phone), (thread) =>
            decided({ ...thread, revision: thread.revision + 1, staleSince: thread.staleSince ?? clock.now() }),
          );
      }
    },
  };
}
