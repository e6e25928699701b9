import { create, toBinary } from '@bufbuild/protobuf';
import type { EncodedEvent } from '@parley/outbox';
import { GrantCreatedSchema } from '@parley/proto/identity/v1/credential_events_pb';
import { encodeCredentialRevoked } from '../credentials/credential-proto.ts';
import type { GrantEvent } from './grant.ts';

export function encodeGrantEvent(event: GrantEvent): EncodedEvent {
  if (event.type === 'identity.credential.revoked') return encodeCredentialRevoked(event);
  const { type, id, employeeId, clientId } = event;
  return { type, data: toBinary(GrantCreatedSchema, create(GrantCreatedSchema, { id, employeeId, clientId })) };
}
