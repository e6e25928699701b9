import { useQuery } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { TextSnippet } from '../api/schema.d.ts';

export function useSnippets() {
  return useQuery({
    queryKey: queryKeys.snippets,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/text_snippets', { signal })),
  });
}

/** A snippet with an id is changed, one without is created. */
export function saveSnippet({
  id,
  ...body
}: {
  id: string | undefined;
  title: string;
  text: string;
}): Promise<TextSnippet> {
  if (id === undefined) return ok(api.POST('/api/v1/text_snippets', { body }));
  return ok(api.PATCH('/api/v1/text_snippets/{id}', { ...at(id), body }));
}

export function deleteSnippet(id: string) {
  return ok(api.DELETE('/api/v1/text_snippets/{id}', at(id)));
}

export function refreshSnippets(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.snippets });
}
