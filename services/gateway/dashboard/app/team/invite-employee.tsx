import type { FormEvent, ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import type { Employee } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
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
  const { submit, pending, errorsOf, error, form, unsaved } = useSubmit(
    (body: Invited) => ok(api.POST('/api/v1/employees', { body })),
    ({ name, email }) => {
      announce(t('{name} is invited: an e-mail was sent to {email}.', { name, email }));
      onClose();
      return employeesChanged();
    },
    { keepAs: 'new employee' },
  );
  function invite(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (field: string) => String(typed.get(field) ?? '').trim();
    const role = text('role') as Employee['role'];
    submit({ name: text('name'), email: text('email'), phone: text('phone') || null, role });
  }
  function cancel(): void {
    unsaved.discard();
    onClose();
  }
  return (
    <Dialog title={t('Invite employee')} onClose={onClose}>
      <form ref={form} onSubmit={invite} noValidate>
        <FormFailure error={error} form={form} />
        <Fields>
          <TextField label={t('Name')} name="name" autoFocus errors={errorsOf('name')} />
          <TextField
            label={t('Email')}
            name="email"
            type="email"
            errors={errorsOf('email')}
            hint={t('The invitation is sent here.')}
          />
          <TextField
            label={t('Phone number')}
            name="phone"
            type="tel"
            errors={errorsOf('phone')}
            hint={t('Optional.')}
          />
          <SelectField label={t('Role')} name="role" defaultValue="member" errors={errorsOf('role')}>
            <RoleOptions />
          </SelectField>
        </Fields>
        <DialogActions>
          <Button onPress={cancel}>{t('Cancel')}</Button>
          <Button type="submit" variant="primary" busy={pending}>
            {t('Send invitation')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
