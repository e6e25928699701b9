import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { KnowledgeEntry } from '../api/schema.d.ts';

const listKey = [...queryKeys.knowledge, 'list'];

const PAGE = { limit: '50' };

/** Newest first, in pages; with a search only what it finds. */
export function useKnowledge(search: string) {
  return useInfiniteQuery({
    queryKey: [...listKey, search],
    queryFn: ({ signal, pageParam: cursor }) =>
      ok(
        api.GET('/api/v1/knowledge_entries', {
          params: { query: { ...PAGE, ...(search && { query: search }), ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    placeholderData: (shown) => shown,
  });
}

export const knowledgeEntryQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.knowledgeEntry(id),
    queryFn: ({ signal }) => ok(api.GET('/api/v1/knowledge_entries/{id}', { ...at(id), signal })),
  });

/** What callers asked and nothing fitted, newest first, in pages. */
export function useUnansweredQuestions() {
  return useInfiniteQuery({
    queryKey: queryKeys.unansweredQuestions,
    queryFn: ({ signal, pageParam: cursor }) =>
      ok(
        api.GET('/api/v1/unanswered_questions', {
          params: { query: { ...PAGE, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
  });
}

export function cacheKnowledgeEntry(entry: KnowledgeEntry): void {
  queryClient.setQueryData(queryKeys.knowledgeEntry(entry.id), entry);
  knowledgeChanged();
}

export function knowledgeChanged(): void {
  void queryClient.invalidateQueries({ queryKey: listKey });
}

export function unansweredQuestionsChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.unansweredQuestions });
}
