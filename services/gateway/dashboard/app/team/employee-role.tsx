import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import type { Employee } from '../api/schema.d.ts';
import { isOwner, mayManage } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { employeesChanged } from './employee-queries.ts';

type Role = Employee['role'];

const ROLE_NAMES: Readonly<Record<Role, string>> = { member: 'Member', admin: 'Admin', owner: 'Owner' };

/** The roles that the signed-in employee may give. */
const grantableRoles: readonly Role[] = isOwner ? ['member', 'admin', 'owner'] : ['member', 'admin'];

export function RoleOptions(): ReactNode {
  return grantableRoles.map((role) => (
    <option key={role} value={role}>
      {ROLE_NAMES[role]}
    </option>
  ));
}

/** The role of an employee; a choice for who may change it. */
export function EmployeeRole({ employee }: { employee: Employee }): ReactNode {
  const { id, name } = employee;
  const change = useMutation({
    mutationFn: (role: Role) => ok(api.PATCH('/api/v1/employees/{id}', { params: { path: { id } }, body: { role } })),
    onSuccess: ({ role }) => {
      announce(`${name} is now ${ROLE_NAMES[role].toLowerCase()}.`);
      return employeesChanged();
    },
    onError: (error) => announce(`The role of ${name} was not changed. ${error.message}`),
  });
  if (!mayManage(employee)) return ROLE_NAMES[employee.role];
  return (
    <select
      aria-label={`Role, ${name}`}
      value={change.isPending ? change.variables : employee.role}
      onChange={({ target }) => change.mutate(target.value as Role)}
    >
      <RoleOptions />
    </select>
  );
}
