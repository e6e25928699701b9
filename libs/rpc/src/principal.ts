import { Refused, refusal } from '@parley/errors';
import { hasRole, type Role, type Actor, actorFrom, currentActor } from '@parley/actor';
import type { RequestScope } from './wire.ts';

/** The credential of an OAuth token is its grant. */
export type CredentialType = 'api_key' | 'oauth_token' | 'session';

/** An employee, by the credential they showed at the gateway. */
export interface EmployeePrincipal {
  readonly kind: 'employee';
  readonly companyId: string;
  readonly employeeId: string;
  /** Personal data, for the audit log. */
  readonly employeeName: string;
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

/**
 * The actor of a call in addition to its principal: a service that acts on its own behalf passes on whose request it serves, and
 * the gateway adds the client's address. It authorizes nothing; it is only recorded.
 */
export function actorMetadata(
  principal: Principal,
  scope: Partial<RequestScope> = {},
  onBehalfOf?: Principal,
): Buffer | undefined {
  const { address, requestId } = scope;
  const told = onBehalfOf ? actorOf(onBehalfOf, Buffer.from(JSON.stringify({ address })), requestId) : currentActor();
  const actor = principal.kind === 'service' ? told : undefined;
  if (!actor && !address) return undefined;
  return Buffer.from(JSON.stringify(actor ?? { address }));
}

/** Combines the principal with the actor that the client sent. */
export function actorOf(principal: Principal, metadata: Buffer | undefined, requestId: string | undefined): Actor {
  const told = parse(metadata);
  const address = typeof told['address'] === 'string' && told['address'] !== '' ? told['address'] : undefined;
  const request = {
    ...(address && { address: address.slice(0, ADDRESS_LENGTH_MAX) }),
    ...(requestId && { requestId }),
  };
  if (principal.kind === 'operator') {
    return { type: 'operator', id: '', name: 'operator', credential: OPERATOR_TOKEN, ...request };
  }
  if (principal.kind === 'service') {
    const passedOn = actorFrom(told);
    return passedOn ?? { type: 'system', id: principal.name, name: principal.name, ...request };
  }
  const { employeeId, employeeName, credentialType, credentialId, credentialName } = principal;
  return {
    type: credentialType === 'oauth_token' ? 'app' : 'employee',
    id: employeeId,
    name: employeeName,
    credential: { type: credentialType, id: credentialId, name: credentialName },
    ...request,
  };
}

const ADDRESS_LENGTH_MAX = 64;
const OPERATOR_TOKEN = { type: 'operator', id: '', name: '' };

function parse(metadata: Buffer | undefined): Record<string, unknown> {
  if (!metadata) return {};
  try {
    const told: unknown = JSON.parse(metadata.toString());
    return typeof told === 'object' && told !== null ? (told as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
