import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { BusinessNumber, paths } from '../api/schema.d.ts';

export type RouteProposal = NonNullable<
  paths['/api/v1/business_numbers/{id}/route_explanation']['post']['requestBody']
>['content']['application/json'];

export const businessNumberQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.businessNumber(id),
    queryFn: ({ signal }) => ok(api.GET('/api/v1/business_numbers/{id}', { ...at(id), signal })),
  });

export const textingSettingsQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.businessNumber(id), 'texting settings'],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/business_numbers/{id}/texting_settings', { ...at(id), signal })),
  });

export const routeExplanationQuery = (id: string, proposal: RouteProposal) =>
  queryOptions({
    queryKey: [...queryKeys.businessNumber(id), 'route explanation', proposal],
    queryFn: ({ signal }) =>
      ok(api.POST('/api/v1/business_numbers/{id}/route_explanation', { ...at(id), body: proposal, signal })),
    placeholderData: keepPreviousData,
  });

export function cacheBusinessNumber(number: BusinessNumber): void {
  queryClient.setQueryData(queryKeys.businessNumber(number.id), number);
  // The list has the name; the explanation follows from the routing.
  void queryClient.invalidateQueries({ queryKey: queryKeys.businessNumbers });
}
