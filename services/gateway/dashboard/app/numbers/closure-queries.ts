import { queryOptions } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';

export const closuresQuery = (numberId: string) =>
  queryOptions({
    queryKey: [...queryKeys.businessNumber(numberId), 'closures'],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/business_numbers/{id}/closures', { ...at(numberId), signal })),
    select: ({ closures }) => closures,
  });

export const holidaysQuery = (country: string, year: number) =>
  queryOptions({
    queryKey: ['holidays', country, year],
    queryFn: ({ signal }) =>
      ok(api.GET('/api/v1/holidays', { params: { query: { country, year: String(year) } }, signal })),
    select: ({ holidays }) => holidays,
    staleTime: Number.POSITIVE_INFINITY,
  });

export interface NewClosure {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export function addClosure(numberId: string, body: NewClosure) {
  return ok(api.POST('/api/v1/business_numbers/{id}/closures', { ...at(numberId), body }));
}

/** The explanation of the route follows from them, too. */
export function closuresChanged(numberId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.businessNumber(numberId) });
}
