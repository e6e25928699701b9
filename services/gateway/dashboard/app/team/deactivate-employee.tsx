import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, at, ok } from '../api/client.ts';
import type { Employee } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/query-state.tsx';
import { SkeletonBar } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { deactivationQuery, employeesChanged } from './employee-queries.ts';
import styles from './deactivate-employee.module.css';

/** Asks before somebody loses their access, and shows which programs stop with them. */
export default function DeactivateEmployee({
  employee,
  onClose,
}: {
  employee: Employee;
  onClose: () => void;
}): ReactNode {
  const { id, name } = employee;
  const deactivation = useMutation({
    mutationFn: () => ok(api.PUT('/api/v1/employees/{id}/deactivation', at(id))),
    onSuccess: () => {
      announce(t('{name} was deactivated.', { name }));
      onClose();
      return employeesChanged();
    },
  });
  return (
    <ConfirmDialog
      title={t('Deactivate {name}?', { name })}
      confirm={t('Deactivate')}
      action={deactivation}
      onClose={onClose}
    >
      <p>
        {t(
          '{name} is signed out everywhere within a second, is not called any more and stays in the numbers that ring them. Calls and texts stay.',
          { name },
        )}
      </p>
      <UsedCredentials employeeId={id} />
    </ConfirmDialog>
  );
}

function UsedCredentials({ employeeId }: { employeeId: string }): ReactNode {
  const { data, error, refetch } = useQuery(deactivationQuery(employeeId));
  if (!data) return error ? <Failure error={error} onRetry={refetch} /> : <SkeletonBar />;
  const used = [...data.api_keys, ...data.connected_apps];
  if (used.length === 0) return <p>{t('No API key or app of theirs was used in the last 30 days.')}</p>;
  return (
    <>
      <p>{t('These API keys and apps of theirs were used in the last 30 days and stop working:')}</p>
      <ul className={styles['used']}>
        {used.map(({ id, name, last_used_at: lastUsedAt }) => (
          <li key={id}>
            <bdi>{name}</bdi>
            {lastUsedAt && (
              <span className={styles['when']}>
                {t('last used')} <Time at={lastUsedAt} withTime />
              </span>
            )}
          </li>
        ))}
      </ul>
      <p>{t('They work again after a reactivation within 30 days; later they are removed.')}</p>
    </>
  );
}
