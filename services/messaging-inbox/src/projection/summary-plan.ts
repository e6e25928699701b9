import { ALL_NUMBERS, type InboxItem } from './inbox-item.ts';
import {
  handlingOf,
  isReopened,
  newThread,
  summarizeThread,
  type SummaryParts,
  type Thread,
  type ThreadItems,
  unseenCountsWith,
  withHandling,
  withStored,
} from './thread.ts';

/** What was done to items of the threads with a number. */
export interface ItemsChange {
  /** Items that are stored now, which settles their claims. */
  readonly stored?: readonly InboxItem[];
  /** Pending changes that are done, by their ids. */
  readonly changes?: readonly string[];
  /** The parts of the summaries that may have changed; all of them when absent. */
  readonly affected?: SummaryParts;
  /** Set when the stored items are new. */
  readonly added?: AddedItem | undefined;
}

/**
 * An item that is new. `claimedAs`: the revision that its claim has given the thread of all numbers; while it is the latest one, no summary
 * counts the item. Items without a claim are never counted.
 */
export interface AddedItem {
  readonly claimedAs?: number | undefined;
}

/** Several changes that are summarised together. */
export interface MergedChange extends Required<Omit<ItemsChange, 'added'>> {
  readonly scopes: readonly string[];
  /** Every change says what it affects: cached threads are as good as stored ones. */
  readonly isExact: boolean;
  /** Summaries without texts stay as they are. */
  readonly isOfMessages: boolean;
  readonly added: readonly (AddedItem | undefined)[];
}

/** The items that summaries need besides those that have changed. */
export interface ItemsToRead extends SummaryParts {
  readonly withoutMessages: boolean;
  /** The newest item of all lists, when it is known. */
  readonly newest?: InboxItem | undefined;
  /** How many items of each list are unseen, when that is known. */
  readonly counts?: ReadonlyMap<string, number> | undefined;
}

/** The threads of a change, in the order of its scopes. */
type KnownThreads = readonly (Thread | undefined)[];

const EVERYTHING: SummaryParts = { latest: true, unseen: true };

export function mergeChanges(
  requests: readonly { readonly scopes: readonly string[]; readonly change: ItemsChange }[],
): MergedChange {
  const all = requests.map(({ change }) => change);
  return {
    scopes: [...new Set(requests.flatMap(({ scopes }) => scopes))],
    stored: all.flatMap(({ stored = [] }) => stored),
    changes: all.flatMap(({ changes = [] }) => changes),
    affected: all.map(({ affected = EVERYTHING }) => affected).reduce(joinParts),
    isExact: all.every(({ affected }) => affected !== undefined),
    isOfMessages: all.every(isOfMessages),
    added: all.map(({ added }) => added),
  };
}

export function joinParts(one: SummaryParts, other: SummaryParts): SummaryParts {
  return { latest: one.latest || other.latest, unseen: one.unseen || other.unseen };
}

/** What has to be read before the threads are summarised. `reopenedAt`: something was stored then in a thread that was done. */
export function planSummaries(
  change: MergedChange,
  threads: KnownThreads,
): { readonly items: ItemsToRead; readonly reopenedAt: number | undefined } {
  const { scopes, stored, changes, affected, isExact, isOfMessages: isWithoutCalls, added } = change;
  const all = threadOfAllNumbers(change, threads);
  const withoutMessages = !isWithoutCalls;
  // A summary that does not exist yet has nothing to keep.
  const isNew = threads.some((thread) => !thread?.withMessages || (withoutMessages && !thread.withoutMessages));
  const areUncounted = added.every(
    (one) => one !== undefined && (one.claimedAs === undefined || one.claimedAs === all?.revision),
  );
  return {
    reopenedAt: all && isReopened(all) ? all.lastStoredAt : undefined,
    items: {
      ...(isNew ? EVERYTHING : affected),
      withoutMessages,
      newest: isExact && changes.length === 0 ? newestOf(stored, threads) : undefined,
      counts: areUncounted ? unseenCountsWith(scopes, threads, stored) : undefined,
    },
  };
}

/** A thread to write: as it was read, undefined for a new one, and with its summary. */
export interface SummarizedThread {
  readonly before: Thread | undefined;
  readonly after: Thread;
}

/** The threads with their summaries. `found`: the items of each scope, as they were planned. */
export function summarizeThreads(
  { companyId, phone }: Pick<Thread, 'companyId' | 'phone'>,
  change: MergedChange,
  threads: KnownThreads,
  found: ReadonlyMap<string, ThreadItems>,
): SummarizedThread[] {
  const all = threadOfAllNumbers(change, threads);
  return change.scopes.flatMap((scope, index) => {
    const before = threads[index];
    const thread = before ?? newThread(companyId, scope, phone);
    const stored = change.stored.filter((item) => scope === ALL_NUMBERS || scope === item.businessNumberId);
    const handling = scope === ALL_NUMBERS || !all ? thread.handling : handlingOf(all);
    const summarized = summarizeThread(thread, found.get(scope)!, { stored, changes: change.changes });
    // It was removed because it was empty. One of a business number alone would stay for ever: only that of all numbers is looked for.
    if (!before && !summarized.withMessages && !summarized.withoutMessages) return [];
    return [{ before, after: withHandling(summarized, handling) }];
  });
}

/** As it is once the items are stored in it. */
function threadOfAllNumbers({ scopes, stored }: MergedChange, threads: KnownThreads): Thread | undefined {
  const thread = threads[scopes.indexOf(ALL_NUMBERS)];
  return thread && withStored(thread, stored);
}

/** The newest of stored items when no summary has a newer one: then it need not be searched for. Without a summary there was none. */
function newestOf(items: readonly InboxItem[], threads: KnownThreads): InboxItem | undefined {
  const newest = items.reduce<InboxItem | undefined>(
    (latest, item) => (latest && isNewerThan(latest, item) ? latest : item),
    undefined,
  );
  if (!newest || newest.replacedAt !== null) return undefined;
  const isNewest = (thread: Thread | undefined) =>
    !thread?.withMessages ||
    thread.withMessages.lastActivityAt < newest.createdAt ||
    thread.withMessages.latestItem.id === newest.id;
  return threads.every(isNewest) ? newest : undefined;
}

/** Also of two versions of one item. */
function isNewerThan(one: InboxItem, other: InboxItem): boolean {
  return one.id === other.id ? one.sequence > other.sequence : one.createdAt >= other.createdAt;
}

function isOfMessages({ stored = [], changes = [], affected }: ItemsChange): boolean {
  return affected !== undefined && changes.length === 0 && stored.every(({ content }) => content.type === 'message');
}
