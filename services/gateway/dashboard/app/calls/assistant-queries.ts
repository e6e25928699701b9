import { useQuery } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { ApiError } from '../api/api-error.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { AssistantSessionItem, AssistantSessionPage, Call } from '../api/schema.d.ts';
import { useIsLive } from '../live/live-channel.ts';
import { isInProgress } from './call-text.ts';

const PAGE = 100;
/** The live channel announces what was said; without it nothing does. */
const REFRESH_MS = { live: 2000, alone: 1000 };

export type AssistantSession = Omit<AssistantSessionPage, 'next_cursor'>;

/** The conversation of a call with its assistant; null when there was none. */
export function useAssistantSession(call: Pick<Call, 'id' | 'state' | 'assistant'>) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: queryKeys.assistantSession(call.id),
    queryFn: ({ signal }) => readSession(call.id, signal),
    enabled: call.assistant !== null,
    refetchInterval: ({ state: { data } }) => {
      // Before the first words there is no session; a call that was refused one never has any.
      const isChanging = data ? !isComplete(data) : isInProgress(call);
      if (!isChanging) return false;
      return isLive ? REFRESH_MS.live : REFRESH_MS.alone;
    },
    staleTime: 0,
  });
}

/** The summary is written a moment after the end. */
const SUMMARY_WITHIN_MS = 10_000;

function isComplete({ state, summary, ended_at: endedAt }: AssistantSession): boolean {
  if (state !== 'ended') return false;
  return summary !== null || Math.abs(Date.now() - Date.parse(endedAt ?? '')) > SUMMARY_WITHIN_MS;
}

async function readSession(callId: string, signal: AbortSignal): Promise<AssistantSession | null> {
  const items: AssistantSessionItem[] = [];
  for (let cursor = ''; ;) {
    const query = { limit: String(PAGE), ...(cursor && { cursor }) };
    const read = api.GET('/api/v1/calls/{id}/assistant_session', {
      params: { ...at(callId).params, query },
      signal,
    });
    const page: AssistantSessionPage | null = await ok(read).catch((error: unknown) => {
      if (error instanceof ApiError && error.isNotFound) return null;
      throw error;
    });
    if (page === null) return null;
    items.push(...page.items);
    if (page.next_cursor === null) return { ...page, items };
    cursor = page.next_cursor;
  }
}
