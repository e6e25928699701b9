import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import type { Employee } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Fields, textIn } from '../ui/form.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { employeesChanged } from './employee-queries.ts';
import { RoleOptions } from './employee-role.tsx';

interface Invited {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly role: Employee['role'];
}

export default function InviteEmployee({ onClose }: { onClose: () => void }): ReactNode {
  const sending = useSubmit(
    (body: Invited) => ok(api.POST('/api/v1/employees', { body })),
    ({ name, email }) => {
      announce(t('{name} is invited: an e-mail was sent to {email}.', { name, email }));
      onClose();
      return employeesChanged();
    },
    { storeEditsAs: 'new employee' },
  );
  const { errorsOf } = sending;
  function invite(typed: FormData): void {
    const text = (field: string) => textIn(typed, field);
    const role = text('role') as Employee['role'];
    sending.submit({ name: text('name'), email: text('email'), phone: text('phone') || null, role });
  }
  return (
    <FormDialog
      title={t('Invite employee')}
      onClose={onClose}
      sending={sending}
      onSubmit={invite}
      submitLabel={t('Send invitation')}
    >
      <Fields>
        <TextField label={t('Name')} name="name" autoFocus errors={errorsOf('name')} />
        <TextField
          label={t('Email')}
          name="email"
          type="email"
          errors={errorsOf('email')}
          hint={t('The invitation is sent here.')}
        />
        <TextField label={t('Phone number')} name="phone" type="tel" errors={errorsOf('phone')} hint={t('Optional.')} />
        <SelectField label={t('Role')} name="role" defaultValue="member" errors={errorsOf('role')}>
          <RoleOptions />
        </SelectField>
      </Fields>
    </FormDialog>
  );
}
