import type { Audited } from '@parley/actor';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import { EndedCredentials } from '@parley/proto/identity/v1/credential_events_pb';

/** A credential must be verified again: it stopped working, has another secret, or its employee has another role. */
export interface CredentialRevoked extends Audited {
  readonly type: 'identity.credential.revoked';
  /** Empty when every credential of the employee must be verified again. */
  readonly credentialId: string;
  readonly employeeId: string;
  /** The credentials that have ended; objects created with them, such as softphone registrations, end too. */
  readonly ended: 'none' | 'one' | 'sessions' | 'all';
}

const endedToProto: Readonly<Record<CredentialRevoked['ended'], EndedCredentials>> = {
  none: EndedCredentials.NONE,
  one: EndedCredentials.ONE,
  sessions: EndedCredentials.SESSIONS,
  all: EndedCredentials.ALL,
};

export function encodeCredentialRevoked({ type, credentialId, employeeId, ended }: CredentialRevoked): EncodedMessage {
  return encodeMessage(type, { credentialId, employeeId, ended: endedToProto[ended] });
}
