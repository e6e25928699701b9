import { type Actor, actorFrom, currentActor } from '@parley/actor';
import type { Principal } from './principal.ts';
import type { RequestScope } from './wire.ts';

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
  const { employeeId, employeeName = '', credentialType, credentialId, credentialName } = principal;
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
