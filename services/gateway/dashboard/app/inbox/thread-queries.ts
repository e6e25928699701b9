import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { InboxThread } from '../api/schema.d.ts';
import { session } from '../session.ts';
import type { LoadedList } from './loaded-list.ts';
import { belongsTo, type ThreadChoice } from './thread-choice.ts';
import { type ListSource, loadedListQuery, useLoadedList } from './use-loaded-list.ts';

/** An empty text is no restriction. */
export interface ThreadFilters {
  readonly query: string;
  readonly unseen: boolean;
  readonly businessNumberId: string;
  readonly show: ThreadChoice;
}

/** The API accepts no more. */
const QUERY_LENGTH_MAX = 128;

/** The threads that match, newest activity first. */
export const useThreads = (filters: ThreadFilters) => useLoadedList(threadsSource(filters));

/** Reads what the page of the inbox shows first. */
export const readFirstThreads = () =>
  queryClient.prefetchQuery(
    loadedListQuery(threadsSource({ query: '', unseen: false, businessNumberId: '', show: 'all' })),
  );

function threadsSource(filters: ThreadFilters): ListSource<InboxThread, LoadedList<InboxThread>> {
  const { query, unseen, businessNumberId, show } = filters;
  return {
    queryKey: [...queryKeys.inbox, { query, unseen, businessNumberId, show }],
    read: async (cursor, signal) => {
      const filter = {
        ...(query !== '' && { query: query.slice(0, QUERY_LENGTH_MAX) }),
        ...(unseen && { unseen: 'true' as const }),
        ...(businessNumberId !== '' && { business_number_id: businessNumberId }),
        ...(show === 'mine' && { assignee_id: session.employeeId }),
        ...(show !== 'all' && { state: show === 'done' ? ('done' as const) : ('open' as const) }),
        ...(cursor !== undefined && { cursor }),
      };
      const page = await ok(api.GET('/api/v1/inbox', { params: { query: filter }, ...(signal && { signal }) }));
      return { items: page.threads, nextCursor: page.next_cursor };
    },
    idOf: ({ phone_number }) => phone_number,
    placeOf: ({ phone_number, last_activity_at }) => `${phone_number} ${last_activity_at}`,
    keepPrevious: true,
  };
}

/** Shows a thread as seen wherever it is loaded, without waiting for the lists to be read again. */
export function showAsSeen(phoneNumber: string): void {
  changeItems((items) =>
    items.map((thread) => (thread.phone_number === phoneNumber ? { ...thread, unseen_count: 0 } : thread)),
  );
}

/** Shows a thread as it is now wherever it is loaded, and no longer in lists that it does not belong to. */
export function showThread(changed: InboxThread): void {
  changeItems((items, show) =>
    items.flatMap((thread) => {
      if (thread.phone_number !== changed.phone_number) return [thread];
      return belongsTo(show, changed, session.employeeId) ? [changed] : [];
    }),
  );
}

function changeItems(change: (items: readonly InboxThread[], show: ThreadChoice) => readonly InboxThread[]): void {
  for (const [queryKey, list] of queryClient.getQueriesData<Partial<LoadedList<InboxThread>>>({
    queryKey: queryKeys.inbox,
  })) {
    // Not everything about the inbox is a list of threads.
    if (!list?.items) continue;
    const { show = 'all' } = (queryKey[queryKeys.inbox.length] ?? {}) as Partial<ThreadFilters>;
    queryClient.setQueryData(queryKey, { ...list, items: change(list.items, show) });
  }
}
