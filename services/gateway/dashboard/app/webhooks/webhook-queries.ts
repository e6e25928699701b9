import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Webhook } from '../api/schema.d.ts';
import { beginningOf } from './event-text.ts';
import { refreshAfterMs } from './delivery-text.ts';

export const webhooksQuery = queryOptions({
  queryKey: [...queryKeys.webhooks, 'list'],
  queryFn: ({ signal }) => ok(api.GET('/api/v1/webhooks', { signal })),
});

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.webhook(id),
    queryFn: ({ signal }) => ok(api.GET('/api/v1/webhooks/{id}', { ...at(id), signal })),
  });

export const deliveriesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.webhook(id), 'deliveries'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      ok(
        api.GET('/api/v1/webhooks/{id}/deliveries', {
          params: { path: { id }, query: cursor === undefined ? {} : { cursor } },
          signal,
        }),
      ),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: ({ state }) => refreshAfterMs(state.data?.pages ?? [], Date.now()),
  });

/** The events of a type, or of all for an empty one, from a beginning on. */
export const eventsQuery = (type: string, beginning: string) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.webhooks, 'events', type, beginning],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) => {
      const place = after === undefined ? { from: beginningOf(beginning) } : { after };
      const query = { ...place, ...(type !== '' && { types: type }) };
      return ok(api.GET('/api/v1/events', { params: { query }, signal }));
    },
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : undefined),
    staleTime: 0,
  });

export function cacheWebhook({ id, name, url, events, active, created_at, updated_at }: Webhook): void {
  // Field by field: a response with the secret must not stay in memory.
  const webhook: Webhook = { id, name, url, events, active, created_at, updated_at };
  queryClient.setQueryData(queryKeys.webhook(id), webhook);
  void queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey });
}

export function readDeliveriesAgain(id: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: deliveriesQuery(id).queryKey });
}
