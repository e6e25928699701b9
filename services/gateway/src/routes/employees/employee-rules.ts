import { hasRole } from '@parley/actor';
import type { EmployeePrincipal } from '@parley/rpc';

type Fields = Readonly<Record<string, unknown>>;

/** An admin anybody's, a member only their own. */
export function isOwnOrAdmins(caller: EmployeePrincipal, { id }: { readonly id: string }): boolean {
  return hasRole(caller.role, 'admin') || id === caller.employeeId;
}

/** An app (OAuth) never acts as an owner. */
export function mayActAsOwner({ role, credentialType }: EmployeePrincipal): boolean {
  return hasRole(role, 'owner') && credentialType !== 'oauth_token';
}

/** Members change neither e-mail address nor role; only owners make owners. The service also checks whom the change is of. */
export function mayChangeEmployeeFields(caller: EmployeePrincipal, fields: Fields): boolean {
  if (fields['role'] === 'owner' && !mayActAsOwner(caller)) return false;
  return hasRole(caller.role, 'admin') || !('email' in fields || 'role' in fields);
}
