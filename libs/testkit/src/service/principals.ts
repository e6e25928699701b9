import { newId } from '@parley/secrets';
import type { Role } from '@parley/actor';
import type { EmployeePrincipal, OperatorPrincipal } from '@parley/rpc';

/** Call options of an employee whose API key the gateway has verified; of an owner unless another role is given. */
export function asEmployee(
  companyId: string,
  employeeId: string = newId('emp'),
  credentialId: string = newId('key'),
  role: Role = 'owner',
): { as: EmployeePrincipal } {
  const credential = { credentialId, credentialType: 'api_key', credentialName: 'Test' } as const;
  return { as: { kind: 'employee', companyId, employeeId, employeeName: 'Test', role, ...credential } };
}

/** The same employee with another role. */
export function withRole({ as }: { as: EmployeePrincipal }, role: Role): { as: EmployeePrincipal } {
  return { as: { ...as, role } };
}

/** Call options of the operator. */
export const asOperator: { as: OperatorPrincipal } = { as: { kind: 'operator' } };
