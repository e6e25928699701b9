import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Assistant } from '../api/schema.d.ts';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { businessNumberQuery } from '../numbers/business-number-queries.ts';
import { type AnsweredNumber, numbersByAssistant } from './answered-numbers.ts';

export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.assistant(id),
    queryFn: ({ signal }) => ok(api.GET('/api/v1/assistants/{id}', { ...at(id), signal })),
  });

/** The languages and voices to choose from, and whose language model there is. */
export const assistantOptionsQuery = queryOptions({
  queryKey: queryKeys.assistantOptions,
  queryFn: ({ signal }) => ok(api.GET('/api/v1/assistant_options', { signal })),
});

export function cacheAssistant(assistant: Assistant): void {
  queryClient.setQueryData(queryKeys.assistant(assistant.id), assistant);
  void queryClient.invalidateQueries({ queryKey: [...queryKeys.assistants, 'list'] });
  // The routing of numbers shows its name.
  void queryClient.invalidateQueries({ queryKey: queryKeys.businessNumbers });
}

/** With more numbers than these it is not said which ones an assistant answers: each is a request. */
const NUMBERS_MAX = 30;

/** The numbers that each assistant answers, by its id; undefined until they are known. */
export function useAnsweredNumbers(): ReadonlyMap<string, readonly AnsweredNumber[]> | undefined {
  const { data: numbers } = useQuery(businessNumbersQuery);
  const read = numbers && numbers.length <= NUMBERS_MAX ? numbers : [];
  return useQueries({
    queries: read.map(({ id }) => ({ ...businessNumberQuery(id), staleTime: 60_000 })),
    combine: (results) => {
      const known = results.map(({ data }) => data).filter((one) => one !== undefined);
      const areRead = numbers !== undefined && known.length === numbers.length;
      return areRead ? numbersByAssistant(known) : undefined;
    },
  });
}
