import { type CachedFinder, openDocuments, type PlainDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { ALL_NUMBERS, type InboxItem, viewName } from './inbox-item.ts';
import type { ItemsToRead } from './summary-plan.ts';
import { type SummaryItems, type Thread, type ThreadItems, UNSEEN_COUNT_MAX } from './thread.ts';

/** The items and threads of all companies. */
export interface InboxStore {
  readonly items: PlainDocuments<InboxItem>;
  readonly threads: PlainDocuments<Thread>;
  /** The threads of a list. */
  readonly listThreads: CachedFinder<Thread, (typeof listedFields)[number]>;
}

/** The fields of a thread that lists need. */
const listedFields = [
  'phone',
  'businessNumberIds',
  'callNumberIds',
  'lastStoredAt',
  'handling',
  'withMessages',
  'withoutMessages',
] as const satisfies readonly (keyof Thread)[];

/** Threads of lists that a process has in memory: those that its companies look at. */
const LISTED = { max: 10_000, ageMaxMs: 10 * 60_000 };

/** Newest first; the id orders items of the same microsecond. */
export const NEWEST_ITEM_FIRST = { createdAt: -1, id: -1 } as const;

/** Calls in progress and the threads they belong to, which change several times within minutes. */
const RECENT_MAX = 5000;

export async function openInbox(db: Db): Promise<InboxStore> {
  const [items, threads] = await Promise.all([
    openDocuments<InboxItem>({
      db,
      collection: 'inbox_items',
      recentMax: RECENT_MAX,
      indexes: [
        { name: 'activity', key: { companyId: 1, phone: 1, views: 1, createdAt: -1, _id: -1 } },
        { name: 'unseen', key: { companyId: 1, phone: 1, unseenViews: 1, storedAt: 1 } },
        {
          name: 'call_of_voicemail',
          key: { companyId: 1, 'content.callId': 1 },
          partialFilterExpression: { 'content.type': 'voicemail' },
        },
      ],
    }),
    openDocuments<Thread>({
      db,
      collection: 'inbox_threads',
      recentMax: RECENT_MAX,
      reusesIds: true,
      indexes: [
        { name: 'newest', key: { companyId: 1, scope: 1, 'withMessages.lastActivityAt': -1, phone: -1 } },
        { name: 'newest_calls', key: { companyId: 1, scope: 1, 'withoutMessages.lastActivityAt': -1, phone: -1 } },
        {
          name: 'unseen',
          key: { companyId: 1, scope: 1, 'withMessages.unseen': 1, 'withMessages.lastActivityAt': -1, phone: -1 },
        },
        {
          name: 'unseen_calls',
          key: { companyId: 1, scope: 1, 'withoutMessages.unseen': 1, 'withoutMessages.lastActivityAt': -1, phone: -1 },
        },
        {
          name: 'phone_gram',
          key: { companyId: 1, scope: 1, phoneGrams: 1, 'withMessages.lastActivityAt': -1, phone: -1 },
        },
        {
          name: 'phone_gram_calls',
          key: { companyId: 1, scope: 1, phoneGrams: 1, 'withoutMessages.lastActivityAt': -1, phone: -1 },
        },
        {
          name: 'mark',
          key: { companyId: 1, scope: 1, marks: 1, 'withMessages.lastActivityAt': -1, phone: -1 },
        },
        {
          name: 'mark_calls',
          key: { companyId: 1, scope: 1, marks: 1, 'withoutMessages.lastActivityAt': -1, phone: -1 },
        },
        { name: 'phone_suffix', key: { companyId: 1, scope: 1, phoneSuffixes: 1 } },
        { name: 'phone', key: { companyId: 1, scope: 1, phone: 1 } },
        { name: 'stale', key: { staleSince: 1 }, partialFilterExpression: { staleSince: { $exists: true } } },
      ],
    }),
  ]);
  return { items, threads, listThreads: threads.cachedFinder(listedFields, LISTED) };
}

/**
 * Reads the items for the summaries of the threads with a number, by scope. The newest item of all is the newest one of most lists,
 * and the unseen ones of all lists are counted together.
 */
export async function readThreadItems(
  { items }: InboxStore,
  { companyId, phone }: Pick<Thread, 'companyId' | 'phone'>,
  scopes: readonly string[],
  wanted: ItemsToRead,
): Promise<ReadonlyMap<string, ThreadItems>> {
  const everything = viewName(ALL_NUMBERS, true);
  const newestOf = async (view: string): Promise<InboxItem | null> => {
    const shown = { phone, views: view, replacedAt: null };
    const [newest] = await Array.fromAsync(items.of(companyId).find(shown, NEWEST_ITEM_FIRST, 1));
    return newest ?? null;
  };
  const countUnseen = () =>
    items.bulk.countValues({
      list: 'unseenViews',
      filter: { companyId, phone, unseenViews: everything },
      limit: UNSEEN_COUNT_MAX,
      index: 'unseen',
    });
  const [newest, counts] = await Promise.all([
    wanted.latest ? (wanted.newest ?? newestOf(everything)) : undefined,
    wanted.unseen ? (wanted.counts ?? countUnseen()) : undefined,
  ]);
  const read = async (view: string): Promise<SummaryItems> => ({
    latest: !newest || newest.views.includes(view) ? newest : await newestOf(view),
    unseenCount: counts && (counts.get(view) ?? 0),
  });
  const found = scopes.map(async (scope) => {
    const [withMessages, withoutMessages] = await Promise.all([
      read(viewName(scope, true)),
      wanted.withoutMessages ? read(viewName(scope, false)) : undefined,
    ]);
    return [scope, { withMessages, withoutMessages }] as const;
  });
  return new Map(await Promise.all(found));
}
