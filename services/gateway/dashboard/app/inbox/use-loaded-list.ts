import { keepPreviousData, type QueryKey, queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { queryClient } from '../api/query-client.ts';
import { type LoadedList, withNewest, withOlder } from './loaded-list.ts';

export interface ListSource<Item, Page extends LoadedList<Item>> {
  readonly queryKey: QueryKey;
  /** A page; the first one without a cursor. */
  readonly read: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page>;
  readonly idOf: (item: Item) => string;
  readonly placeOf?: (item: Item) => string;
  /** Shows the list of another key until this one is there. */
  readonly keepPrevious?: boolean;
}

/** What was read this short a time ago was read for the page that shows it now. */
const JUST_READ_MS = 1000;

/** The first page, together with what is loaded of the others. */
export function loadedListQuery<Item, Page extends LoadedList<Item>>(source: ListSource<Item, Page>) {
  const { queryKey, read, idOf, placeOf } = source;
  return queryOptions<Page>({
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await read(undefined, signal);
      // Read after the request: older entries may have been added meanwhile.
      const known = queryClient.getQueryData<Page>(queryKey);
      return { ...newest, ...withNewest<Item>(known, newest, idOf, placeOf) };
    },
    // Entries move: compared place by place, all of them would be taken for changed.
    structuralSharing: false,
    refetchOnMount: ({ state }) => (Date.now() - state.dataUpdatedAt < JUST_READ_MS ? false : 'always'),
    ...(source.keepPrevious && { placeholderData: keepPreviousData }),
  });
}

/** A list that loads older entries on demand. When it is read again, its first page is. */
export function useLoadedList<Item, Page extends LoadedList<Item>>(source: ListSource<Item, Page>) {
  const { queryKey, read, idOf } = source;
  const query = useQuery(loadedListQuery(source));
  const older = useMutation({
    mutationFn: async (cursor: string) => ({ cursor, page: await read(cursor) }),
    onSuccess: ({ cursor, page }) =>
      queryClient.setQueryData<Page>(
        queryKey,
        (known) => known && { ...known, ...withOlder<Item>(known, cursor, page, idOf) },
      ),
  });
  const { mutate } = older;
  const cursor = query.isPlaceholderData ? null : (query.data?.nextCursor ?? null);
  const fetchNextPage = useCallback(() => cursor !== null && mutate(cursor), [cursor, mutate]);
  return {
    query,
    loadMore: {
      hasNextPage: cursor !== null,
      isFetchingNextPage: older.isPending,
      isFetchNextPageError: older.isError && older.variables === cursor,
      fetchNextPage,
    },
  };
}
