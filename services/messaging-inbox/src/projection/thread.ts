import { isDeepStrictEqual } from 'node:util';
import {
  ALL_NUMBERS,
  type CallContent,
  type InboxItem,
  type ItemContent,
  type MessageContent,
  type VoicemailContent,
  viewName,
} from './inbox-item.ts';

/** The fields of an item's content that a list of threads displays. */
export type LatestContent =
  | (Pick<CallContent, 'type' | 'missed' | 'summary' | 'message'> & {
      /** Absent until its assistant has left, and without one. */
      readonly assistantOutcome?: string;
    })
  | Pick<VoicemailContent, 'type' | 'transcription'>
  | MessageContent;

/** The latest item, as far as a list of threads shows it. The body of a text is read from the text. */
export interface LatestItem extends Pick<InboxItem, 'id' | 'businessNumberId' | 'direction'> {
  readonly content: LatestContent;
}

/** The fields of a thread in a list. */
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

/** A change of items in progress: until it is done, or its process has ended, the summary may be out of date. */
export interface PendingChange {
  readonly id: string;
  readonly since: Date;
}

/** The copy of a thread's handling that lists need. */
export interface HandlingCopy {
  readonly assigneeId: string | null;
  readonly done: boolean;
  /** An item that is stored after this opens the thread again. */
  readonly doneThrough: number;
  /** The revision of the copied handling. */
  readonly revision: number;
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
  readonly pendingChanges: readonly PendingChange[];
  /** Null when there is no such item. */
  readonly withMessages: ThreadSummary | null;
  readonly withoutMessages: ThreadSummary | null;
  readonly businessNumberIds: readonly string[];
  /** The same without what only texts have used. */
  readonly callNumberIds: readonly string[];
  /** Every suffix of the number's digits, so that any part of it is found through an index. */
  readonly phoneSuffixes: readonly string[];
  /** Every two and every three digits of the number that follow each other: they are found in the order of activity. */
  readonly phoneGrams: readonly string[];
  /** Absent while nobody has dealt with it. In the thread of a business number, `done` is as lists show it. */
  readonly handling?: HandlingCopy | undefined;
  /** The keys it is listed by; see `threadMark`. */
  readonly marks: readonly string[];
  /** Since when something has been claimed or pending; absent when nothing is. */
  readonly staleSince?: Date | undefined;
}

/** The items that are read for a summary; undefined parts have not changed. */
export interface SummaryItems {
  /** Null when there is no item. */
  readonly latest: InboxItem | null | undefined;
  readonly unseenCount: number | undefined;
}

/** The items of both summaries of a thread; without calls and voicemails when only texts have changed. */
export interface ThreadItems {
  readonly withMessages: SummaryItems;
  readonly withoutMessages: SummaryItems | undefined;
}

/** The parts of a thread's summaries that may have changed. */
export interface SummaryParts {
  readonly latest: boolean;
  readonly unseen: boolean;
}

export interface Settled {
  /** Items whose claims end. */
  readonly stored: readonly InboxItem[];
  /** Ids of pending changes that end. */
  readonly changes: readonly string[];
}

/** The lengths of the indexed parts of a phone number; many numbers have the same short part. */
export const GRAM_LENGTHS: readonly number[] = [2, 3];

export function threadId(companyId: string, scope: string, phone: string): string {
  return `${companyId}:${scope}:${phone}`;
}

export function threadOfAllNumbers({ companyId, phone }: Pick<Thread, 'companyId' | 'phone'>): string {
  return threadId(companyId, ALL_NUMBERS, phone);
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
    pendingChanges: [],
    withMessages: null,
    withoutMessages: null,
    businessNumberIds: [],
    callNumberIds: [],
    phoneSuffixes: [],
    phoneGrams: [],
    marks: ['open'],
  };
}

/** The mark of the threads with an assignee, in a state, or both. */
export function threadMark(assigneeId: string | undefined, state: 'open' | 'done' | undefined): string | undefined {
  return [assigneeId, state].filter((part) => part !== undefined).join('/') || undefined;
}

/** The state that lists display. */
export function isDone({ handling, lastStoredAt }: Pick<Thread, 'handling' | 'lastStoredAt'>): boolean {
  return handling !== undefined && handling.done && lastStoredAt <= handling.doneThrough;
}

/** True when something was stored after it was closed, which its handling does not say yet. */
export function isReopened({ handling, lastStoredAt }: Thread): boolean {
  return handling !== undefined && handling.done && lastStoredAt > handling.doneThrough;
}

/** The thread with a newer handling; an older one changes nothing. */
export function applyHandling(thread: Thread, handling: HandlingCopy): Thread {
  if ((thread.handling?.revision ?? 0) >= handling.revision) return thread;
  return { ...withHandling(thread, handling), revision: thread.revision + 1 };
}

/** The handling for a thread of a business number, from the thread of all numbers. */
export function handlingOf(all: Thread): HandlingCopy | undefined {
  return all.handling && { ...all.handling, done: isDone(all) };
}

export function withHandling(thread: Thread, handling: HandlingCopy | undefined): Thread {
  const next = { ...thread, handling: isDeepStrictEqual(thread.handling, handling) ? thread.handling : handling };
  const state = isDone(next) ? 'done' : 'open';
  const assigneeId = handling?.assigneeId ?? undefined;
  const wanted = [threadMark(undefined, state), threadMark(assigneeId, undefined), threadMark(assigneeId, state)];
  const marks = [...new Set(wanted.filter((mark) => mark !== undefined))];
  return { ...next, marks: isDeepStrictEqual(thread.marks, marks) ? thread.marks : marks };
}

/** The parts of a thread's number that it is found by. Only once there is something to find: their indexes are large. */
export function phoneParts(phone: string): Pick<Thread, 'phoneSuffixes' | 'phoneGrams'> {
  return { phoneSuffixes: suffixesOf(phone), phoneGrams: gramsOf(phone) };
}

/** An item that its owner made longer ago than this has a storage time of its own. */
export const STORAGE_DELAY_MICROS = 1_000_000;

/**
 * The storage time of an item, later than any other of its thread: the time its owner gave it if possible, so that
 * marking up to that time as seen includes the item.
 */
export function storageTime(lastStoredAt: number, createdAt: number, nowMicros: number): number {
  const earliest = Math.max(nowMicros - STORAGE_DELAY_MICROS, lastStoredAt + 1);
  return Math.max(Math.min(createdAt, nowMicros), earliest);
}

/** Gives an item its storage time before it is stored. An item that has claimed before keeps its time. */
export function claimStorage(
  thread: Thread,
  { id: itemId, createdAt }: Pick<InboxItem, 'id' | 'createdAt'>,
  nowMicros: number,
  now: Date,
): Thread {
  if (thread.claims.some((claim) => claim.itemId === itemId)) return thread;
  const storedAt = storageTime(thread.lastStoredAt, createdAt, nowMicros);
  return {
    ...thread,
    revision: thread.revision + 1,
    lastStoredAt: storedAt,
    claims: [...thread.claims, { itemId, storedAt }],
    staleSince: thread.staleSince ?? now,
  };
}

/** The thread of all numbers once these items are stored in it. */
export function withStored(thread: Thread, items: readonly InboxItem[]): Thread {
  const lastStoredAt = Math.max(thread.lastStoredAt, ...items.map(({ storedAt }) => storedAt));
  return lastStoredAt === thread.lastStoredAt ? thread : { ...thread, lastStoredAt };
}

/** Notes that items are about to change. */
export function expectChange(thread: Thread, change: PendingChange): Thread {
  return {
    ...thread,
    revision: thread.revision + 1,
    pendingChanges: [...thread.pendingChanges, change],
    staleSince: thread.staleSince ?? change.since,
  };
}

/** Ignores revisions, and whether what is undefined is there. */
export function isSameThread(one: Thread, other: Thread): boolean {
  const fields = Object.keys({ ...one, ...other }) as (keyof Thread)[];
  return fields.every((field) => field === 'revision' || isDeepStrictEqual(one[field], other[field]));
}

/** False when nothing is in it, or is being stored in it. */
export function isUsed({
  withMessages,
  withoutMessages,
  claims,
}: Pick<Thread, 'withMessages' | 'withoutMessages' | 'claims'>): boolean {
  return withMessages !== null || withoutMessages !== null || claims.length > 0;
}

/** Up to when everything that has a storage time is visible. */
export function observedUntil(thread: Thread): number {
  const first = Math.min(...thread.claims.map(({ storedAt }) => storedAt));
  return Number.isFinite(first) ? first - 1 : thread.lastStoredAt;
}

/** The thread with a summary of its items. */
export function summarizeThread(thread: Thread, items: ThreadItems, { stored, changes }: Settled): Thread {
  const claims = thread.claims.filter(({ itemId }) => !stored.some(({ id }) => id === itemId));
  const pendingChanges = thread.pendingChanges.filter(({ id }) => !changes.includes(id));
  const calls = stored.filter(({ content }) => content.type !== 'message');
  const { withMessages, withoutMessages } = items;
  return {
    ...(thread.scope === ALL_NUMBERS ? withStored(thread, stored) : thread),
    revision: thread.revision + 1,
    claims,
    pendingChanges,
    ...(thread.phoneSuffixes.length === 0 && phoneParts(thread.phone)),
    withMessages: summaryOf(thread.withMessages, withMessages),
    withoutMessages: withoutMessages ? summaryOf(thread.withoutMessages, withoutMessages) : thread.withoutMessages,
    businessNumberIds: withNumbersOf(stored, thread.businessNumberIds),
    callNumberIds: withNumbersOf(calls, thread.callNumberIds),
    staleSince: oldestOf(claims, pendingChanges),
  };
}

/** The thread without claims of items that never came: their processes have ended, and their events are applied again. */
export function dropClaims(thread: Thread, itemIds: readonly string[]): Thread {
  const claims = thread.claims.filter(({ itemId }) => !itemIds.includes(itemId));
  if (claims.length === thread.claims.length) return thread;
  return {
    ...thread,
    revision: thread.revision + 1,
    claims,
    staleSince: oldestOf(claims, thread.pendingChanges),
  };
}

/** Unseen items are counted up to this many; more is shown as this. */
export const UNSEEN_COUNT_MAX = 10_000;

/** How many items of each list are unseen once these new ones are in it. */
export function unseenCountsWith(
  scopes: readonly string[],
  threads: readonly (Thread | undefined)[],
  added: readonly InboxItem[],
): ReadonlyMap<string, number> {
  const countOf = (view: string, summary: ThreadSummary | null | undefined): [string, number] => {
    const unseen = added.filter(({ unseenViews }) => unseenViews.includes(view)).length;
    return [view, Math.min((summary?.unseenCount ?? 0) + unseen, UNSEEN_COUNT_MAX)];
  };
  return new Map(
    scopes.flatMap((scope, index) => [
      countOf(viewName(scope, true), threads[index]?.withMessages),
      countOf(viewName(scope, false), threads[index]?.withoutMessages),
    ]),
  );
}

function oldestOf(claims: readonly StorageClaim[], changes: readonly PendingChange[]): Date | undefined {
  const times = [...claims.map(({ storedAt }) => storedAt / 1000), ...changes.map(({ since }) => since.getTime())];
  return times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** The same list when there is nothing to add: what stays the same is not written. */
function withNumbersOf(items: readonly InboxItem[], ids: readonly string[]): readonly string[] {
  const added = items.map(({ businessNumberId }) => businessNumberId).filter((id) => !ids.includes(id));
  return added.length === 0 ? ids : [...ids, ...new Set(added)];
}

function summaryOf(current: ThreadSummary | null, { latest, unseenCount }: SummaryItems): ThreadSummary | null {
  const shown = latest === undefined ? current : latest && shownOf(latest);
  if (!shown) return null;
  const { lastActivityAt, latestItem } = shown;
  const count = unseenCount ?? current?.unseenCount ?? 0;
  return { lastActivityAt, latestItem, unseenCount: count, unseen: count > 0 };
}

function shownOf(item: InboxItem): Pick<ThreadSummary, 'lastActivityAt' | 'latestItem'> {
  const { id, businessNumberId, direction, content, createdAt } = item;
  return {
    lastActivityAt: createdAt,
    latestItem: { id, businessNumberId, direction, content: latestContent(content) },
  };
}

export function latestContent(content: ItemContent): LatestContent {
  switch (content.type) {
    case 'call':
      return {
        type: 'call',
        missed: content.missed,
        summary: content.summary,
        ...(content.message && { message: content.message }),
        ...(content.assistant?.outcome && { assistantOutcome: content.assistant.outcome }),
      };
    case 'voicemail':
      return { type: 'voicemail', transcription: content.transcription };
    case 'message':
      return { type: 'message' };
  }
}

export function affectedParts(before: InboxItem | undefined, after: InboxItem): SummaryParts {
  const visible = (item: InboxItem) => item.replacedAt === null && shownOf(item);
  return {
    latest: !before || !isDeepStrictEqual(visible(before), visible(after)),
    unseen: !isDeepStrictEqual(before?.unseenViews ?? [], after.unseenViews),
  };
}

function gramsOf(phone: string): string[] {
  const suffixes = suffixesOf(phone);
  const grams = GRAM_LENGTHS.flatMap((length) => suffixes.map((suffix) => suffix.slice(0, length)));
  return [...new Set(grams)].filter(({ length }) => GRAM_LENGTHS.includes(length));
}

function suffixesOf(phone: string): string[] {
  const digits = phone.replaceAll(/\D/g, '');
  return Array.from(digits, (_, index) => digits.slice(index));
}
