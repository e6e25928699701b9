import { fromBinary } from '@bufbuild/protobuf';
import { decodeEvent } from '@parley/events';
import { type CredentialRevoked, CredentialRevokedSchema } from '@parley/proto/identity/v1/credential_events_pb';

/** The revocation in a message of the broker; undefined for one that cannot be read: an error in a callback would end the connection. */
export function readRevocation(data: Uint8Array): CredentialRevoked | undefined {
  try {
    return fromBinary(CredentialRevokedSchema, decodeEvent(data).data);
  } catch {
    return undefined;
  }
}
