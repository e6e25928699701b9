import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import type { ApiKeySchema } from '@parley/proto/identity/v1/api_keys_pb';
import { encodeCredentialRevoked } from '../revocations/credential-proto.ts';
import { type ApiKey, type ApiKeyEvent, formerSecretValidUntil } from './api-key.ts';

export function encodeApiKeyEvent(event: ApiKeyEvent): EncodedMessage {
  if (event.type === 'identity.credential.revoked') return encodeCredentialRevoked(event);
  const { type, id, employeeId } = event;
  return encodeMessage(type, { id, employeeId });
}

export function apiKeyToProto(key: ApiKey, now: Date): MessageInitShape<typeof ApiKeySchema> {
  const until = formerSecretValidUntil(key, now);
  return {
    id: key.id,
    name: key.name,
    createdAt: timestampFromDate(key.createdAt),
    ...(key.lastUsedAt && { lastUsedAt: timestampFromDate(key.lastUsedAt) }),
    ...(until && { oldSecretUntil: timestampFromDate(until) }),
  };
}
