import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { api, at, ok } from '../api/client.ts';
import type { Employee } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { InUseDialog } from '../numbers/in-use-dialog.tsx';
import { announce } from '../ui/announcements.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { employeesChanged } from './employee-queries.ts';

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
    return (
      <InUseDialog title={t('{name} cannot be removed yet', { name })} error={error} onClose={onClose}>
        {t('These business numbers ring {name}. Choose somebody else there, then try again.', { name })}
      </InUseDialog>
    );
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
