import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { session } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { Switch } from '../ui/switch.tsx';

/** The employee's own do-not-disturb. */
export function DoNotDisturbSwitch(): ReactNode {
  const params = { path: { id: session.employeeId } };
  const queryKey = queryKeys.doNotDisturb(session.employeeId);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/employees/{id}/do_not_disturb', { params, signal })),
  });
  const change = useMutation({
    mutationFn: (enabled: boolean) =>
      ok(api.PUT('/api/v1/employees/{id}/do_not_disturb', { params, body: { enabled } })),
    onSuccess: ({ do_not_disturb: enabled }) => {
      const affected = data?.at_risk_main_numbers.map(({ name }) => name).join(', ');
      if (enabled && affected)
        announce(`Nobody else takes calls to ${affected}: they go directly to the no-answer flow.`);
      return queryClient.invalidateQueries({ queryKey: queryKeys.employees });
    },
    onError: (error) => announce(`Do not disturb was not changed. ${error.message}`),
  });
  const checked = change.isPending ? change.variables : (data?.enabled ?? false);
  return (
    <Switch label="Do not disturb" checked={checked} disabled={!data} onChange={(enabled) => change.mutate(enabled)} />
  );
}
