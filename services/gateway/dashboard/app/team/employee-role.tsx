import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, at, ok } from '../api/client.ts';
import type { Employee } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { isOwner, mayManage } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { SelectField } from '../ui/field.tsx';
import { employeesChanged } from './employee-queries.ts';
import styles from './team.module.css';

type Role = Employee['role'];

function roleName(role: Role): string {
  return {
    member: t('Member'),
    admin: t('Admin'),
    owner: t('Owner'),
  }[role];
}

/** The roles that the signed-in employee may give. */
const grantableRoles: readonly Role[] = isOwner ? ['member', 'admin', 'owner'] : ['member', 'admin'];

export function RoleOptions(): ReactNode {
  return grantableRoles.map((role) => (
    <option key={role} value={role}>
      {roleName(role)}
    </option>
  ));
}

/** The role of an employee; a choice for who may change it. */
export function EmployeeRole({ employee }: { employee: Employee }): ReactNode {
  const { id, name, role: current } = employee;
  const change = useMutation({
    mutationFn: (role: Role) => ok(api.PATCH('/api/v1/employees/{id}', { ...at(id), body: { role } })),
    onSuccess: (_saved, role) => {
      const undo = role === current ? undefined : () => change.mutateAsync(current);
      announce(t('{name} is now {role}.', { name, role: roleName(role) }), undo);
      return employeesChanged();
    },
    onError: (error) => announce(t('The role of {name} was not changed. {reason}', { name, reason: error.message })),
  });
  if (!mayManage(employee)) return roleName(current);
  return (
    <div className={styles['role']}>
      <SelectField
        label={t('Role, {name}', { name })}
        hideLabel
        look="quiet"
        value={change.isPending ? change.variables : current}
        onChange={({ target }) => change.mutate(target.value as Role)}
      >
        <RoleOptions />
      </SelectField>
    </div>
  );
}
