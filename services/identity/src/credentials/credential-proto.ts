import { create, toBinary } from '@bufbuild/protobuf';
import type { EncodedEvent } from '@parley/outbox';
import { CredentialRevokedSchema } from '@parley/proto/identity/v1/credential_events_pb';

/** A credential stopped working. */
export interface CredentialRevoked {
  readonly type: 'identity.credential.revoked';
  /** Empty when every credential of the employee is to be asked about anew. */
  readonly credentialId: string;
  readonly employeeId: string;
}

export function encodeCredentialRevoked({ type, credentialId, employeeId }: CredentialRevoked): EncodedEvent {
  return {
    type,
    data: toBinary(CredentialRevokedSchema, create(CredentialRevokedSchema, { credentialId, employeeId })),
  };
}
