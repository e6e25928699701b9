import type { DocumentFilter } from '@parley/aggregates';
import { ALL_NUMBERS, type InboxItem, viewName } from '../projection/inbox-item.ts';
import { type InboxStore, NEWEST_ITEM_FIRST } from '../projection/inbox-store.ts';
import { observedUntil, STORAGE_DELAY_MICROS, threadId } from '../projection/thread.ts';

export interface ActivityQuery {
  readonly companyId: string;
  readonly phone: string;
  readonly businessNumberId: string | undefined;
  readonly withMessages: boolean;
}

/** The end of a page of items, and the observation time of the first page. */
export interface ActivityPosition {
  readonly observedAt: number;
  readonly at: number;
  readonly id: string;
}

/** The clocks of processes differ by less than this. */
const CLOCK_DIFFERENCE_MICROS = 100_000;

/** Up to when the items of a number are complete now; undefined when nothing is known of the number. */
export async function observe(store: InboxStore, { companyId, phone }: ActivityQuery): Promise<number | undefined> {
  const thread = await store.threads.of(companyId).get(threadId(companyId, ALL_NUMBERS, phone));
  return thread && observedUntil(thread);
}

/** The same when nothing may be known of the number: whatever is stored after it was looked for has a later time. */
export async function observeAny(store: InboxStore, query: ActivityQuery, nowMicros: () => number): Promise<number> {
  const before = nowMicros() - STORAGE_DELAY_MICROS - CLOCK_DIFFERENCE_MICROS;
  return (await observe(store, query)) ?? before;
}

/** Items of one number, newest first: as of the observation, so that later items do not move pages. */
export async function listActivity(
  store: InboxStore,
  query: ActivityQuery,
  page: { readonly limit: number; readonly observedAt: number; readonly after: ActivityPosition | undefined },
): Promise<InboxItem[]> {
  const { observedAt, after } = page;
  const filter: DocumentFilter<InboxItem> = {
    phone: query.phone,
    views: viewName(query.businessNumberId ?? ALL_NUMBERS, query.withMessages),
    storedAt: { $lte: observedAt },
    ...(after && { createdAt: { $lte: after.at } }),
    $and: [
      { $or: [{ replacedAt: null }, { replacedAt: { $gt: observedAt } }] },
      ...(after ? [{ $or: [{ createdAt: { $lt: after.at } }, { id: { $lt: after.id } }] }] : []),
    ],
  };
  const items: InboxItem[] = [];
  for await (const item of store.items.of(query.companyId).find(filter, NEWEST_ITEM_FIRST, page.limit))
    items.push(item);
  return items;
}
