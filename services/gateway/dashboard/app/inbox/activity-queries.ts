import { useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Contact, InboxItem, Message } from '../api/schema.d.ts';
import type { LoadedList } from './loaded-list.ts';
import { useLoadedList } from './use-loaded-list.ts';

/** The activity with one phone number, newest first. */
export interface Activity extends LoadedList<InboxItem> {
  /** Normalised, whichever way it was asked for. */
  readonly phoneNumber: string;
  readonly contact: Contact | null;
  /** Everything until then is among the items, or older than all of them. */
  readonly observedAt: string;
}

/** As many as the API gives at once: who scrolls up reads on. */
const OLDER_LIMIT = '100';

export function useActivity(phoneNumber: string) {
  return useLoadedList<InboxItem, Activity>({
    queryKey: queryKeys.activity(phoneNumber),
    read: async (cursor, signal) => {
      const params = {
        path: { phone_number: phoneNumber },
        query: cursor === undefined ? {} : { cursor, limit: OLDER_LIMIT },
      };
      const page = await ok(api.GET('/api/v1/inbox/{phone_number}/activity', { params, ...(signal && { signal }) }));
      return {
        // openapi-fetch leaves out what is always null: the duration of a text.
        items: page.items as InboxItem[],
        nextCursor: page.next_cursor,
        phoneNumber: page.phone_number,
        contact: page.contact,
        observedAt: page.observed_at,
      };
    },
    idOf: ({ id }) => id,
  });
}

/** Shows a text that was just sent, before the activity is read again. */
export function showSent(phoneNumber: string, message: Message): void {
  queryClient.setQueryData<Activity>(
    queryKeys.activity(phoneNumber),
    (known) =>
      known && {
        ...known,
        items: [{ ...message, duration: null }, ...known.items.filter(({ id }) => id !== message.id)],
      },
  );
}

export function refreshActivity(phoneNumber: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.activity(phoneNumber) });
}

export function useCallerContext(phoneNumber: string) {
  return useQuery({
    queryKey: queryKeys.callerContext(phoneNumber),
    queryFn: ({ signal }) =>
      ok(api.GET('/api/v1/caller_context', { params: { query: { phone: phoneNumber } }, signal })),
    staleTime: 300_000,
  });
}
