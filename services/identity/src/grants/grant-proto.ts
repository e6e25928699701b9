import { encodeMessage, type EncodedMessage } from '@parley/events';
import { encodeCredentialRevoked } from '../revocations/credential-proto.ts';
import type { GrantEvent } from './grant.ts';

export function encodeGrantEvent(event: GrantEvent): EncodedMessage {
  if (event.type === 'identity.credential.revoked') return encodeCredentialRevoked(event);
  const { type, id, employeeId, clientId } = event;
  return encodeMessage(type, { id, employeeId, clientId });
}
