import { create, toBinary } from '@bufbuild/protobuf';
import type { EncodedEvent } from '@parley/outbox';
import { ApiKeyCreatedSchema } from '@parley/proto/identity/v1/credential_events_pb';
import { encodeCredentialRevoked } from '../credentials/credential-proto.ts';
import type { ApiKeyEvent } from './api-key.ts';

export function encodeApiKeyEvent(event: ApiKeyEvent): EncodedEvent {
  if (event.type === 'identity.credential.revoked') return encodeCredentialRevoked(event);
  const { type, id, employeeId } = event;
  return { type, data: toBinary(ApiKeyCreatedSchema, create(ApiKeyCreatedSchema, { id, employeeId })) };
}
