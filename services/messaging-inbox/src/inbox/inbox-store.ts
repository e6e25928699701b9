import { openDocuments, type PlainDocuments } from '@parley/store';
import type { Db } from 'mongodb';
import { type InboxItem, viewName } from './inbox-item.ts';
import type { SummaryItems, Thread, ThreadItems } from './thread.ts';

/** The items and threads of all companies. */
export interface InboxStore {
  readonly items: PlainDocuments<InboxItem>;
  readonly threads: PlainDocuments<Thread>;
}

/** Newest first; the id orders items of the same microsecond. */
export const NEWEST_ITEM_FIRST = { createdAt: -1, id: -1 } as const;

/** Unseen items are counted up to this many; more is shown as this. */
const UNSEEN_COUNT_MAX = 10_000;

export async function openInbox(db: Db): Promise<InboxStore> {
  const [items, threads] = await Promise.all([
    openDocuments<InboxItem>({
      db,
      collection: 'inbox_items',
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
        { name: 'phone_suffix', key: { companyId: 1, scope: 1, phoneSuffixes: 1 } },
        { name: 'phone', key: { companyId: 1, scope: 1, phone: 1 } },
        { name: 'stale', key: { staleSince: 1 }, partialFilterExpression: { staleSince: { $exists: true } } },
      ],
    }),
  ]);
  return { items, threads };
}

/** What the summaries of a thread are made from; each part is one step through an index. */
export async function readThreadItems(
  { items }: InboxStore,
  { companyId, phone, scope }: Pick<Thread, 'companyId' | 'phone' | 'scope'>,
  changed: 'messages' | 'all',
): Promise<ThreadItems> {
  const own = items.of(companyId);
  const read = async (view: string): Promise<SummaryItems> => {
    const [[latest], unseenCount] = await Promise.all([
      Array.fromAsync(own.find({ phone, views: view, replacedAt: null }, NEWEST_ITEM_FIRST, 1)),
      own.count(UNSEEN_COUNT_MAX, { phone, unseenViews: view }),
    ]);
    return { latest, unseenCount };
  };
  const [withMessages, withoutMessages] = await Promise.all([
    read(viewName(scope, true)),
    changed === 'all' ? read(viewName(scope, false)) : undefined,
  ]);
  return { withMessages, withoutMessages };
}
