import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';

export function useChangeDoNotDisturb({ id, name }: { id: string; name: string }) {
  return useMutation({
    mutationFn: (enabled: boolean) =>
      ok(api.PUT('/api/v1/employees/{id}/do_not_disturb', { ...at(id), body: { enabled } })),
    onSuccess: () => employeesChanged(),
    onError: (error) =>
      announce(t('Do not disturb of {name} was not changed. {reason}', { name, reason: error.message })),
  });
}

/** What stops with an employee, as it is when it is asked for. */
export const deactivationQuery = (id: string) =>
  queryOptions({
    queryKey: [...queryKeys.employees, id, 'deactivation'],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/employees/{id}/deactivation', { ...at(id), signal })),
  });

export function useReactivate({ id, name }: { id: string; name: string }) {
  return useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/employees/{id}/deactivation', at(id))),
    onSuccess: () => {
      announce(t('{name} was reactivated.', { name }));
      return employeesChanged();
    },
    onError: (error) => announce(t('{name} was not reactivated. {reason}', { name, reason: error.message })),
  });
}

export function employeesChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.employees });
}
