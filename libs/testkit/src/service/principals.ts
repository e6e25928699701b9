import { newId } from '@parley/ids';
import type { EmployeePrincipal, OperatorPrincipal } from '@parley/rpc';

/** Call options of an employee whose credential the gateway has verified. */
export function asEmployee(
  companyId: string,
  employeeId: string = newId('emp'),
  credentialId: string = newId('key'),
): { as: EmployeePrincipal } {
  return { as: { kind: 'employee', companyId, employeeId, credentialId } };
}

/** Call options of the operator. */
export const asOperator: { as: OperatorPrincipal } = { as: { kind: 'operator' } };
