import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { OAuthClientSchema } from '@parley/proto/identity/v1/oauth_pb';
import type { OAuthClient } from '../oauth-clients/oauth-client.ts';

export function clientToProto(client: OAuthClient): MessageInitShape<typeof OAuthClientSchema> {
  return {
    clientId: client.id,
    issuedAt: timestampFromDate(client.issuedAt),
    clientName: client.name,
    redirectUris: [...client.redirectUris],
  };
}
