import { useMutation, useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { employeesQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';

/** Statuses change without an announcement on the live channel. */
const REFRESH_MS = 3000;

/** All employees, read again and again while the window is visible. */
export function useEmployees() {
  return useQuery({ ...employeesQuery, refetchInterval: REFRESH_MS });
}

export function useChangeDoNotDisturb({ id, name }: { id: string; name: string }) {
  const params = { path: { id } };
  return useMutation({
    mutationFn: (enabled: boolean) =>
      ok(api.PUT('/api/v1/employees/{id}/do_not_disturb', { params, body: { enabled } })),
    onSuccess: () => employeesChanged(),
    onError: (error) =>
      announce(t('Do not disturb of {name} was not changed. {reason}', { name, reason: error.message })),
  });
}

export function employeesChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.employees });
}
