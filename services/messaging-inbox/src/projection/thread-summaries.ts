import { decided, notFound, Refused } from '@parley/errors';
import { batch, sharedResult } from '@parley/queues';
import { ALL_NUMBERS } from './inbox-item.ts';
import { type InboxStore, readThreadItems } from './inbox-store.ts';
import type { ItemsOfPerson } from './items-of-person.ts';
import {
  type ItemsChange,
  mergeChanges,
  planSummaries,
  summarizeThreads,
  type SummarizedThread,
} from './summary-plan.ts';
import { isSameThread, type Thread, threadId, threadOfAllNumbers } from './thread.ts';

/** Writes the summaries of threads. */
export interface ThreadSummaries {
  /** Summarises threads again after their items changed. */
  refresh(companyId: string, phone: string, scopes: readonly string[], change: ItemsChange): Promise<void>;
  /**
   * Summarises all threads with a number again, from all of its items, and creates those that are missing. `read` reads the items, again when
   * a thread has changed meanwhile; of items that threads have claims of it keeps those whose ids it is given.
   */
  summarizeAll(
    companyId: string,
    phone: string,
    read: (claimed: ReadonlySet<string>) => Promise<ItemsOfPerson>,
  ): Promise<void>;
}

/** A request to summarise the threads with a number again. */
interface RefreshRequest {
  readonly companyId: string;
  readonly phone: string;
  readonly scopes: readonly string[];
  readonly change: ItemsChange;
}

/** Concurrent writers of one thread summarise it again this often; each time one summary is written. */
const ATTEMPTS_MAX = 100;

export function threadSummaries(options: {
  store: InboxStore;
  /** Something was stored in a thread that was done. */
  reopen: (companyId: string, phone: string, lastStoredAt: number) => Promise<void>;
}): ThreadSummaries {
  const { store, reopen } = options;
  const { threads } = store;

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
      if (await writeAll(summarizeThreads({ companyId, phone }, change, known, found))) return;
    }
    throw new Error('too many writers at one thread');
  }

  /** False when one of them has changed since its items were read: then all of them, because threads of business numbers copy the handling. */
  async function writeAll(summarized: readonly SummarizedThread[]): Promise<boolean> {
    // With one command. A process that ends in between has not confirmed the items yet: they are applied again.
    const written = await Promise.all(summarized.map(writeThread));
    return !written.includes(false);
  }

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

  return {
    refresh: (companyId, phone, scopes, change) => refreshThreads({ companyId, phone, scopes, change }),
    async summarizeAll(companyId, phone, read) {
      const own = threads.of(companyId);
      const scopes = new Set([ALL_NUMBERS]);
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const all = await own.get(threadId(companyId, ALL_NUMBERS, phone));
        for (const numberId of all?.businessNumberIds ?? []) scopes.add(numberId);
        // Before the items, because a summary is written only while its thread is as it was then.
        const known = new Map<string, Thread | undefined>([[ALL_NUMBERS, all]]);
        await Promise.all(
          [...scopes].map(async (scope) => {
            if (scope !== ALL_NUMBERS) known.set(scope, await own.get(threadId(companyId, scope, phone)));
          }),
        );
        const found = await read(new Set((all?.claims ?? []).map(({ itemId }) => itemId)));
        // Threads of these that were not read are created; one that is there already is read by the next attempt.
        for (const numberId of found.businessNumberIds) scopes.add(numberId);
        const change = mergeChanges([{ scopes: [...scopes], change: { stored: found.stored } }]);
        const inOrder = change.scopes.map((scope) => known.get(scope));
        const { reopenedAt } = planSummaries(change, inOrder);
        if (reopenedAt !== undefined) await reopen(companyId, phone, reopenedAt);
        const items = new Map(change.scopes.map((scope) => [scope, found.ofScope(scope)]));
        const summarized = summarizeThreads({ companyId, phone }, change, inOrder, items);
        // Whoever has changed one since it was read has summarised it, too.
        const changed = summarized.filter(({ before, after }) => !before || !isSameThread(before, after));
        if (await writeAll(changed)) return;
      }
      throw new Error('too many writers at one thread');
    },
  };
}
