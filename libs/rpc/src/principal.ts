import { Refused, refusal } from '@parley/errors';

/** An employee, by the credential they showed at the gateway. */
export interface EmployeePrincipal {
  readonly kind: 'employee';
  readonly companyId: string;
  readonly employeeId: string;
  readonly credentialId: string;
}

/** The holder of the operator's token. */
export interface OperatorPrincipal {
  readonly kind: 'operator';
}

/** Another service, acting for itself. */
export interface ServicePrincipal {
  readonly kind: 'service';
  readonly name: string;
}

/** On whose behalf a request is made. */
export type Principal = EmployeePrincipal | OperatorPrincipal | ServicePrincipal;

/** Narrows a verified principal to the kind that an RPC allows, or refuses. */
export type AccessRule<Allowed> = (caller: Principal) => Allowed;

const deny = (): never => {
  throw new Refused(refusal('forbidden', 'forbidden'));
};

/** For RPCs of employees. */
export const employees: AccessRule<EmployeePrincipal> = (caller) => (caller.kind === 'employee' ? caller : deny());

/** For RPCs of the operator. */
export const operators: AccessRule<OperatorPrincipal> = (caller) => (caller.kind === 'operator' ? caller : deny());

/** For RPCs that the named services make for themselves. */
export function services(...names: string[]): AccessRule<ServicePrincipal> {
  return (caller) => (caller.kind === 'service' && names.includes(caller.name) ? caller : deny());
}

/** For RPCs that the operator or the named services may make. */
export function operatorsOr(...names: string[]): AccessRule<OperatorPrincipal | ServicePrincipal> {
  const allowService = services(...names);
  return (caller) => (caller.kind === 'operator' ? caller : allowService(caller));
}
