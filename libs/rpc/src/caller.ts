import { Refused, refusal } from '@parley/errors';

/** An employee, by the credential they showed at the gateway. */
export interface EmployeeCaller {
  readonly kind: 'employee';
  readonly companyId: string;
  readonly employeeId: string;
  readonly credentialId: string;
}

/** Whoever holds the operator's token. */
export interface OperatorCaller {
  readonly kind: 'operator';
}

/** Another service, acting for itself. */
export interface ServiceCaller {
  readonly kind: 'service';
  readonly name: string;
}

/** On whose behalf a call is made. */
export type Caller = EmployeeCaller | OperatorCaller | ServiceCaller;

/** Turns a proven caller into the kind a service is for, or refuses. */
export type Admission<Admitted> = (caller: Caller) => Admitted;

const nobody = (): never => {
  throw new Refused(refusal('forbidden', 'forbidden'));
};

/** For RPCs of employees. */
export const employees: Admission<EmployeeCaller> = (caller) => (caller.kind === 'employee' ? caller : nobody());

/** For RPCs of the operator. */
export const operators: Admission<OperatorCaller> = (caller) => (caller.kind === 'operator' ? caller : nobody());

/** For RPCs that the named services make for themselves. */
export function services(...names: string[]): Admission<ServiceCaller> {
  return (caller) => (caller.kind === 'service' && names.includes(caller.name) ? caller : nobody());
}

/** For RPCs that the operator or the named services may make. */
export function operatorsOr(...names: string[]): Admission<OperatorCaller | ServiceCaller> {
  const admitService = services(...names);
  return (caller) => (caller.kind === 'operator' ? caller : admitService(caller));
}
