import type { OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { OAuthDeps } from '../oauth/oauth-deps.ts';
import { parametersOf } from '../oauth/parameters.ts';
import { redirectHost } from '../oauth-clients/redirect-uri.ts';
import { checkAuthorization } from './authorization-request.ts';

export const checkAuthorizationRpc =
  ({ clients, clock }: OAuthDeps): Handler<typeof OAuthService.method.checkAuthorization, ServicePrincipal> =>
  async ({ parameters, issuer }) => {
    const read = parametersOf(parameters);
    const client = await clients.get(read.get('client_id') ?? '', clock.now());
    const check = checkAuthorization(read, client, issuer);
    if (check.kind === 'error') return { outcome: { case: 'error', value: check.error } };
    if (check.kind === 'redirect') return { outcome: { case: 'redirect', value: check.redirect } };
    const { redirectUri, scope } = check.request;
    return {
      outcome: {
        case: 'ask',
        value: { clientName: client?.name ?? '', redirectHost: redirectHost(redirectUri), scope, redirectUri },
      },
    };
  };
