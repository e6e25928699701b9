import { invalid, Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import type { OAuthClientAdminService } from '@parley/proto/identity/v1/oauth_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import type { OAuthDeps } from './oauth-deps.ts';
import { issuedClient, readClientMetadata } from '../oauth-clients/oauth-client.ts';
import { clientToProto } from './oauth-client-proto.ts';

export const createOAuthClientRpc =
  ({
    clients,
    clock,
  }: OAuthDeps): Handler<typeof OAuthClientAdminService.method.createOAuthClient, OperatorPrincipal> =>
  async ({ clientName, redirectUris }) => {
    if (clientName.trim() === '') throw new Refused(invalid({ client_name: ['is required'] }));
    const read = readClientMetadata({ redirectUris, clientName }, { customSchemes: true });
    if (!read.ok) {
      const [, field = 'client_name', problem = 'is invalid'] = /^(\S+) (.*)$/.exec(read.error.errorDescription) ?? [];
      throw new Refused(invalid({ [field]: [problem] }));
    }
    const client = issuedClient(newId('app'), read.details, clock.now());
    await clients.add(client);
    return { client: clientToProto(client) };
  };
