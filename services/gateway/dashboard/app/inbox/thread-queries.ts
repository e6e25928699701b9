import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { InboxThread } from '../api/schema.d.ts';
import type { LoadedList } from './loaded-list.ts';
import { useLoadedList } from './use-loaded-list.ts';

/** What the list of threads is restricted to; an empty text is no restriction. */
export interface ThreadFilters {
  readonly query: string;
  readonly unseen: boolean;
  readonly businessNumberId: string;
}

/** The API accepts no more. */
const QUERY_LENGTH_MAX = 128;

/** The threads that match, newest activity first. */
export function useThreads({ query, unseen, businessNumberId }: ThreadFilters) {
  return useLoadedList<InboxThread, LoadedList<InboxThread>>({
    queryKey: [...queryKeys.inbox, { query, unseen, businessNumberId }],
    read: async (cursor, signal) => {
      const filter = {
        ...(query !== '' && { query: query.slice(0, QUERY_LENGTH_MAX) }),
        ...(unseen && { unseen: 'true' as const }),
        ...(businessNumberId !== '' && { business_number_id: businessNumberId }),
        ...(cursor !== undefined && { cursor }),
      };
      const page = await ok(api.GET('/api/v1/inbox', { params: { query: filter }, ...(signal && { signal }) }));
      return { items: page.threads, nextCursor: page.next_cursor };
    },
    idOf: ({ phone_number }) => phone_number,
    placeOf: ({ phone_number, last_activity_at }) => `${phone_number} ${last_activity_at}`,
    keepPrevious: true,
  });
}

/** Shows a thread as seen wherever it is loaded, without waiting for the lists to be read again. */
export function showAsSeen(phoneNumber: string): void {
  queryClient.setQueriesData<LoadedList<InboxThread>>(
    { queryKey: queryKeys.inbox },
    (list) =>
      list && {
        ...list,
        items: list.items.map((thread) =>
          thread.phone_number === phoneNumber ? { ...thread, unseen_count: 0 } : thread,
        ),
      },
  );
}
