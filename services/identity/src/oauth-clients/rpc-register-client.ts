import { newId } from '@parley/ids';
import type { OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import type { Handler, ServiceCaller } from '@parley/rpc';
import type { OAuthDeps } from '../oauth/oauth-service.ts';
import { readClientMetadata, registeredClient } from './oauth-client.ts';
import { clientToProto } from './oauth-client-proto.ts';

export const registerClientRpc =
  ({ clients, clock }: OAuthDeps): Handler<typeof OAuthService.method.registerClient, ServiceCaller> =>
  async ({ metadataJson }) => {
    const read = readClientMetadata(JSON.parse(metadataJson), { customSchemes: false });
    if (!read.ok) return { outcome: { case: 'error', value: read.error } };
    const client = registeredClient(newId('app'), read.details, clock.now());
    await clients.add(client);
    return { outcome: { case: 'client', value: clientToProto(client) } };
  };
