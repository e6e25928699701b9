import type { InboxItem } from './inbox-item.ts';

/** The latest item, as far as a list of threads shows it. The body of a text is read from the text. */
export type LatestItem = Pick<InboxItem, 'id' | 'businessNumberId' | 'direction' | 'content'>;

/** What a list shows of a thread. */
export interface ThreadSummary {
  /** When the latest item was created, microseconds since 1970. */
  readonly lastActivityAt: number;
  readonly latestItem: LatestItem;
  readonly unseenCount: number;
  readonly unseen: boolean;
}

/** An item that is being stored: it has its time already and may not be visible yet. */
export interface StorageClaim {
  readonly itemId: string;
  readonly storedAt: number;
}

/** Everything with one external number: of all business numbers, or of one (`scope`). */
export interface Thread {
  readonly id: string;
  readonly companyId: string;
  readonly phone: string;
  readonly scope: string;
  /** Grows with every summary and claim; a summary made from an older state is made again. */
  readonly revision: number;
  /** The latest time given to an item of the thread; kept in the thread of all numbers only. */
  readonly lastStoredAt: number;
  readonly claims: readonly StorageClaim[];
  /** Null when there is no such item. */
  readonly withMessages: ThreadSummary | null;
  readonly withoutMessages: ThreadSummary | null;
  readonly businessNumberIds: readonly string[];
  /** The same without what only texts have used. */
  readonly callNumberIds: readonly string[];
  /** Every ending of the number's digits, so that any part of it is found through an index. */
  readonly phoneSuffixes: readonly string[];
  /** Since when the summary may be out of date; absent when it is not. */
  readonly staleSince?: Date | undefined;
}

/** What is read from the items for a summary. */
export interface ThreadItems {
  readonly latest: InboxItem | undefined;
  readonly latestWithoutMessages: InboxItem | undefined;
  readonly unseenCount: number;
  readonly unseenCountWithoutMessages: number;
}

export function threadId(companyId: string, scope: string, phone: string): string {
  return `${companyId}:${scope}:${phone}`;
}

export function threadIdParts(id: string): Pick<Thread, 'companyId' | 'scope' | 'phone'> {
  const [companyId = '', scope = '', ...phone] = id.split(':');
  // A sender may have a name instead of a number, with whatever in it.
  return { companyId, scope, phone: phone.join(':') };
}

/** A thread in which nothing has happened yet. */
export function newThread(companyId: string, scope: string, phone: string): Thread {
  return {
    id: threadId(companyId, scope, phone),
    companyId,
    phone,
    scope,
    revision: 0,
    lastStoredAt: 0,
    claims: [],
    withMessages: null,
    withoutMessages: null,
    businessNumberIds: [],
    callNumberIds: [],
    phoneSuffixes: suffixesOf(phone),
  };
}

/** Gives an item its storage time: later than any other of the thread. An item that has claimed before keeps its time. */
export function claimStorage(thread: Thread, itemId: string, nowMicros: number, now: Date): Thread {
  if (thread.claims.some((claim) => claim.itemId === itemId)) return thread;
  const storedAt = Math.max(nowMicros, thread.lastStoredAt + 1);
  return {
    ...thread,
    revision: thread.revision + 1,
    lastStoredAt: storedAt,
    claims: [...thread.claims, { itemId, storedAt }],
    staleSince: thread.staleSince ?? now,
  };
}

/** Up to when everything that has a storage time is visible. */
export function observedUntil(thread: Thread): number {
  const first = Math.min(...thread.claims.map(({ storedAt }) => storedAt));
  return Number.isFinite(first) ? first - 1 : thread.lastStoredAt;
}

/** The thread with a summary of its items. `stored`: items whose claims are settled with it. */
export function summarizeThread(thread: Thread, items: ThreadItems, stored: readonly InboxItem[]): Thread {
  const claims = thread.claims.filter(({ itemId }) => !stored.some(({ id }) => id === itemId));
  const calls = stored.filter(({ content }) => content.type !== 'message');
  return {
    ...thread,
    revision: thread.revision + 1,
    claims,
    withMessages: summaryOf(items.latest, items.unseenCount),
    withoutMessages: summaryOf(items.latestWithoutMessages, items.unseenCountWithoutMessages),
    businessNumberIds: withNumbersOf(stored, thread.businessNumberIds),
    callNumberIds: withNumbersOf(calls, thread.callNumberIds),
    staleSince: claims.length > 0 ? thread.staleSince : undefined,
  };
}

function withNumbersOf(items: readonly InboxItem[], ids: readonly string[]): string[] {
  return [...new Set([...ids, ...items.map(({ businessNumberId }) => businessNumberId)])];
}

function summaryOf(latest: InboxItem | undefined, unseenCount: number): ThreadSummary | null {
  if (!latest) return null;
  const { id, businessNumberId, direction, content } = latest;
  return {
    lastActivityAt: latest.createdAt,
    latestItem: { id, businessNumberId, direction, content },
    unseenCount,
    unseen: unseenCount > 0,
  };
}

function suffixesOf(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '');
  return Array.from(digits, (_, index) => digits.slice(index));
}
