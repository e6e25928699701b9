import { queryOptions } from '@tanstack/react-query';
import { account, ok } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { queryKeys } from '../../api/query-keys.ts';

export const apiKeysQuery = queryOptions({
  queryKey: [...queryKeys.account, 'api keys'],
  queryFn: ({ signal }) => ok(account.GET('/account/api_keys', { signal })),
});

export const connectedAppsQuery = queryOptions({
  queryKey: [...queryKeys.account, 'connected apps'],
  queryFn: ({ signal }) => ok(account.GET('/account/connected_apps', { signal })),
});

export const sessionsQuery = queryOptions({
  queryKey: [...queryKeys.account, 'sessions'],
  queryFn: ({ signal }) => ok(account.GET('/account/sessions', { signal })),
});

export const securityQuery = queryOptions({
  queryKey: [...queryKeys.account, 'security'],
  queryFn: ({ signal }) => ok(account.GET('/account/security', { signal })),
});

export const newAddressQuery = (employeeId: string) =>
  queryOptions({
    queryKey: [...queryKeys.account, 'new address', employeeId],
    queryFn: ({ signal }) =>
      ok(
        account.GET('/account/new_addresses/{employee_id}', { params: { path: { employee_id: employeeId } }, signal }),
      ),
  });

export function accountChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.account });
}
