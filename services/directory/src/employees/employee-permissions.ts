import { refusal } from '@parley/errors';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Employee, EmployeeChange } from './employee.ts';

type Caller = Pick<EmployeePrincipal, 'employeeId' | 'role' | 'credentialType'>;
type Target = Pick<Employee, 'id' | 'role'>;

export const forbidden = refusal('forbidden', 'forbidden');

/** Owners are changed by owners, and never through an app (OAuth): whoever controls an owner controls the company. */
function mayManageOwners({ role, credentialType }: Caller): boolean {
  return role === 'owner' && credentialType !== 'oauth_token';
}

/** Members change their own name, phone number, call waiting and `forward_to`; admins everybody but owners. */
export function mayChangeEmployee(caller: Caller, target: Target, change: EmployeeChange): boolean {
  const isOwnRecord = target.id === caller.employeeId && change.email === undefined && change.role === undefined;
  if (isOwnRecord) return true;
  if (caller.role === 'member') return false;
  return (target.role !== 'owner' && change.role !== 'owner') || mayManageOwners(caller);
}

export function mayAddEmployee(caller: Caller, role: Employee['role']): boolean {
  return role !== 'owner' || mayManageOwners(caller);
}

/** Deleting, deactivating and reactivating. */
export function mayRemoveEmployee(caller: Caller, target: Target): boolean {
  return target.role !== 'owner' || mayManageOwners(caller);
}
