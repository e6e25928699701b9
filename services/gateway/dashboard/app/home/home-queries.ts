import { useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Call, InboxThread } from '../api/schema.d.ts';

const PAGE = 50;
/** A busier day is counted up to here; the reports count everything. */
const PAGES_MAX = 6;
const REFRESH_MS = 10_000;
const WAITING_SHOWN = 5;
/** Some of the unseen ones have been answered since. */
const UNSEEN_READ = 20;

/** The calls since yesterday's midnight, newest first. */
export function useRecentCalls() {
  return useQuery({
    queryKey: [...queryKeys.calls, 'since yesterday'],
    queryFn: async ({ signal }) => {
      const now = new Date();
      const since = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1).toISOString();
      const calls: Call[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < PAGES_MAX; page++) {
        const query = { started_after: since, limit: PAGE, ...(cursor !== undefined && { cursor }) };
        const { calls: more, next_cursor: next } = await ok(api.GET('/api/v1/calls', { params: { query }, signal }));
        calls.push(...more);
        if (!next) break;
        cursor = next;
      }
      return calls;
    },
    refetchInterval: REFRESH_MS,
  });
}

/** People whose last word nobody has seen. */
export function useUnanswered() {
  return useQuery({
    queryKey: [...queryKeys.inbox, 'home'],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/v1/inbox', { params: { query: { unseen: 'true', limit: String(UNSEEN_READ) } }, signal })),
    select: ({ threads }) => threads.filter(({ latest_item: latest }) => isUnanswered(latest)).slice(0, WAITING_SHOWN),
  });
}

function isUnanswered({ type, direction, missed }: InboxThread['latest_item']): boolean {
  return direction !== 'outbound' && (type !== 'call' || missed === true);
}
