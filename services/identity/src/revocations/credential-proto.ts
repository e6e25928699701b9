import { encodeMessage, type EncodedMessage } from '@parley/events';

/** A credential stopped working. */
export interface CredentialRevoked {
  readonly type: 'identity.credential.revoked';
  /** Empty when every credential of the employee must be verified again. */
  readonly credentialId: string;
  readonly employeeId: string;
}

export function encodeCredentialRevoked({ type, credentialId, employeeId }: CredentialRevoked): EncodedMessage {
  return encodeMessage(type, { credentialId, employeeId });
}
