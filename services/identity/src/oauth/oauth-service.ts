import type { OAuthDeps } from './oauth-deps.ts';
import { ConnectedAppService, OAuthClientAdminService, OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import { employees, operators, type RpcServer, services } from '@parley/rpc';
import { checkAuthorizationRpc } from './rpc-check-authorization.ts';
import { decideAuthorizationRpc } from './rpc-decide-authorization.ts';
import { listConnectedAppsRpc } from './rpc-list-connected-apps.ts';
import { revokeConnectedAppRpc } from './rpc-revoke-connected-app.ts';
import { issueTokensRpc } from './rpc-issue-tokens.ts';
import { revokeTokenRpc } from './rpc-revoke-token.ts';
import { createOAuthClientRpc } from './rpc-create-oauth-client.ts';
import { registerClientRpc } from './rpc-register-client.ts';

/** Every RPC of the contract and the file of its handler. */
export function addOAuthServices(server: RpcServer, deps: OAuthDeps): void {
  server.add(OAuthService, services('gateway'), {
    registerClient: registerClientRpc(deps),
    checkAuthorization: checkAuthorizationRpc(deps),
    decideAuthorization: decideAuthorizationRpc(deps),
    issueTokens: issueTokensRpc(deps),
    revokeToken: revokeTokenRpc(deps),
  });
  server.add(OAuthClientAdminService, operators, { createOAuthClient: createOAuthClientRpc(deps) });
  server.add(ConnectedAppService, employees.withRole('member'), {
    listConnectedApps: listConnectedAppsRpc(deps),
    revokeConnectedApp: revokeConnectedAppRpc(deps),
  });
}
