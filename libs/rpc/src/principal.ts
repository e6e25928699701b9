import { Refused, refusal } from '@parley/errors';
import { hasRole, type Role } from '@parley/actor';

/** The credential of an OAuth token is its grant. */
export type CredentialType = 'api_key' | 'oauth_token' | 'session';

/** An employee, by the credential they showed at the gateway. */
export interface EmployeePrincipal {
  readonly kind: 'employee';
  readonly companyId: string;
  readonly employeeId: string;
  /** Personal data, for the audit log. Absent in proofs of a gateway that has not been upgraded yet. */
  readonly employeeName?: string;
  /** At the time of the request. */
  readonly role: Role;
  readonly credentialId: string;
  readonly credentialType: CredentialType;
  /** The name of the key or of the app; empty for a session. */
  readonly credentialName: string;
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

const ofRole = (required: Role): AccessRule<EmployeePrincipal> => {
  return (caller) => (caller.kind === 'employee' && hasRole(caller.role, required) ? caller : deny());
};
const employeeRules: Readonly<Record<Role, AccessRule<EmployeePrincipal>>> = {
  member: ofRole('member'),
  admin: ofRole('admin'),
  owner: ofRole('owner'),
};

/** It is no rule by itself: every RPC names the lowest role that may succeed. */
export const employees = { withRole: (required: Role): AccessRule<EmployeePrincipal> => employeeRules[required] };

export const operators: AccessRule<OperatorPrincipal> = (caller) => (caller.kind === 'operator' ? caller : deny());

/** For RPCs that services make on their own behalf. */
export function services(...names: string[]): AccessRule<ServicePrincipal> {
  return (caller) => (caller.kind === 'service' && names.includes(caller.name) ? caller : deny());
}

export function operatorsOr(...names: string[]): AccessRule<OperatorPrincipal | ServicePrincipal> {
  const allowService = services(...names);
  return (caller) => (caller.kind === 'operator' ? caller : allowService(caller));
}
