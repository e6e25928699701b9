import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../api/api-error.ts';
import { api, at, ok } from '../api/client.ts';
import type { Employee } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx';
import { employeesChanged } from './employee-queries.ts';
import { holdingNumbers } from './employee-status.ts';
import styles from './remove-employee.module.css';

export default function RemoveEmployee({ employee, onClose }: { employee: Employee; onClose: () => void }): ReactNode {
  const { id, name } = employee;
  const removal = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/employees/{id}', at(id))),
    onSuccess: () => {
      announce(t('{name} was removed.', { name }));
      onClose();
      return employeesChanged();
    },
  });
  const { error } = removal;
  if (error instanceof ApiError && error.code === 'employee_in_use')
    return <EmployeeInUse name={name} error={error} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={t('Remove {name}?', { name })}
      confirm={t('Remove {name}', { name: name.split(' ')[0] || name })}
      action={removal}
      onClose={onClose}
    >
      <p>
        {t('{name} is signed out everywhere, and phones and API keys stop working. Calls and texts stay.', { name })}
      </p>
    </ConfirmDialog>
  );
}

/** The business numbers that would route to nobody, with links to where that is changed. */
function EmployeeInUse(props: { name: string; error: ApiError; onClose: () => void }): ReactNode {
  const { name } = props;
  return (
    <Dialog title={t('{name} cannot be removed yet', { name })} onClose={props.onClose}>
      <p role="alert">
        {t('These business numbers ring {name}. Choose somebody else there, then try again.', { name })}
      </p>
      <ul className={styles['numbers']}>
        {holdingNumbers(props.error.body).map(({ id, name: number }) => (
          <li key={id}>
            <Link href={`~/dashboard/numbers/${encodeURIComponent(id)}`}>{number}</Link>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
