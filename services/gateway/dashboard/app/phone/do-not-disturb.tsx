import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { t } from '../i18n/translate.ts';
import { useIsLive } from '../live/live-channel.ts';
import { session } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { MEDIUM } from '../ui/icon.ts';
import { Moon } from '../ui/icons/index.ts';
import { useShortcut } from '../ui/shortcuts.ts';
import { Switch } from '../ui/switch.tsx';
import styles from './phone-region.module.css';

/** Other windows and devices of the employee may change it: the live channel tells, and without it nothing does. */
const REFRESH_MS = { live: 30_000, alone: 2000 };

/** The employee's own do-not-disturb. */
export function DoNotDisturbSwitch(): ReactNode {
  const isLive = useIsLive();
  const params = { path: { id: session.employeeId } };
  const queryKey = queryKeys.doNotDisturb(session.employeeId);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/employees/{id}/do_not_disturb', { params, signal })),
    refetchInterval: isLive ? REFRESH_MS.live : REFRESH_MS.alone,
  });
  const change = useMutation({
    mutationFn: (enabled: boolean) =>
      ok(api.PUT('/api/v1/employees/{id}/do_not_disturb', { params, body: { enabled } })),
    onSuccess: ({ do_not_disturb: enabled }) => {
      const affected = data?.at_risk_main_numbers.map(({ name }) => name).join(', ');
      if (enabled && affected)
        announce(
          t('Nobody else takes calls to {numbers}: they go directly to the no-answer flow.', { numbers: affected }),
        );
      return queryClient.invalidateQueries({ queryKey: queryKeys.employees });
    },
    onError: (error) => announce(t('Do not disturb was not changed. {reason}', { reason: error.message })),
  });
  const checked = change.isPending ? change.variables : (data?.enabled ?? false);
  useShortcut('d', data ? () => change.mutate(!checked) : undefined);
  return (
    <div className={styles['row']}>
      <Moon {...MEDIUM} />
      <Switch
        label={t('Do not disturb')}
        checked={checked}
        disabled={!data}
        onChange={(enabled) => change.mutate(enabled)}
      />
    </div>
  );
}
