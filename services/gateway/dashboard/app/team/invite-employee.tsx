import type { FormEvent, ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import { announce } from '../ui/announcements.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Employee } from '../api/schema.d.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { RoleOptions } from './employee-role.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { employeesChanged } from './employee-queries.ts';

interface Invited {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly role: Employee['role'];
}

export function InviteEmployee({ onClose }: { onClose: () => void }): ReactNode {
  const { submit, pending, errorsOf, error, form, unsaved } = useSubmit(
    (body: Invited) => ok(api.POST('/api/v1/employees', { body })),
    ({ name, email }) => {
      announce(`${name} is invited: an e-mail was sent to ${email}.`);
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
    <Dialog title="Invite employee" onClose={onClose}>
      <form ref={form} onSubmit={invite} noValidate>
        <FormFailure error={error} form={form} />
        <TextField label="Name" name="name" errors={errorsOf('name')} />
        <TextField
          label="Email"
          name="email"
          type="email"
          errors={errorsOf('email')}
          hint="The invitation is sent here."
        />
        <TextField label="Phone number" name="phone" type="tel" errors={errorsOf('phone')} hint="Optional." />
        <SelectField label="Role" name="role" defaultValue="member" errors={errorsOf('role')}>
          <RoleOptions />
        </SelectField>
        <div className="actions">
          <button disabled={pending}>Send invitation</button>
          <button type="button" className="quiet" onClick={cancel}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
