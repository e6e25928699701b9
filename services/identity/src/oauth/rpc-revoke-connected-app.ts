import type { ConnectedAppService } from '@parley/proto/identity/v1/oauth_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { OAuthDeps } from './oauth-deps.ts';

export const revokeConnectedAppRpc =
  ({ grants }: OAuthDeps): Handler<typeof ConnectedAppService.method.revokeConnectedApp, EmployeePrincipal> =>
  async ({ clientId }, { principal: { companyId, employeeId } }) => {
    await grants.endAll({ companyId, employeeId }, clientId);
    return {};
  };
