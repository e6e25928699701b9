import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { nextCursorOf } from '../api/next-page.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Contact } from '../api/schema.d.ts';

interface ContactPage {
  readonly contacts: readonly Contact[];
  readonly nextCursor: string | undefined;
}

const contactListKey = [...queryKeys.contacts, 'list'];

/** Newest first, in pages; with a search only what it finds. */
export function useContacts(search: string) {
  return useInfiniteQuery({
    queryKey: [...contactListKey, search],
    queryFn: async ({ signal, pageParam }): Promise<ContactPage> => {
      const query = { limit: '50', ...(search && { query: search }), ...(pageParam && { cursor: pageParam }) };
      const pending = api.GET('/api/v1/contacts', { params: { query }, signal });
      const contacts = await ok(pending);
      return { contacts, nextCursor: nextCursorOf((await pending).response.headers.get('Link')) };
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (shown) => shown,
    // New contacts come first and would move what one is reading.
    refetchOnWindowFocus: false,
  });
}

export function useContact(id: string) {
  return useQuery({
    queryKey: queryKeys.contact(id),
    queryFn: ({ signal }) => ok(api.GET('/api/v1/contacts/{id}', { ...at(id), signal })),
  });
}

/** Lists, threads and caller context show it too. */
export function contactChanged({ phone }: Contact): void {
  const shown = [contactListKey, queryKeys.inbox, queryKeys.callerContext(phone)];
  for (const queryKey of shown) void queryClient.invalidateQueries({ queryKey });
}

/** Called after changes of any number of contacts. */
export function contactsChanged(): void {
  const shown = [queryKeys.contacts, queryKeys.inbox, queryKeys.callerContexts];
  for (const queryKey of shown) void queryClient.invalidateQueries({ queryKey });
}
