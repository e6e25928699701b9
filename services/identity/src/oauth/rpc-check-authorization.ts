import type { OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import type { OAuthDeps } from './oauth-deps.ts';
import { redirectHost } from '../oauth-clients/redirect-uri.ts';
import { authorizationRequestFromProto } from './authorization-request-proto.ts';
import { checkAuthorization } from '../authorization/authorization-request.ts';

export const checkAuthorizationRpc =
  ({ clients, clock }: OAuthDeps): Handler<typeof OAuthService.method.checkAuthorization, ServicePrincipal> =>
  async ({ request: message }) => {
    const request = authorizationRequestFromProto(message);
    const check = checkAuthorization(request, await clients.get(request.clientId, clock.now()));
    if (check.kind === 'error') return { outcome: { case: 'error', value: check.error } };
    if (check.kind === 'redirect') return { outcome: { case: 'redirect', value: check.redirect } };
    const { redirectUri } = request;
    const question = {
      clientName: check.client.name,
      redirectHost: redirectHost(redirectUri),
      scope: check.code.scope,
      redirectUri,
    };
    return { outcome: { case: 'ask', value: question } };
  };
