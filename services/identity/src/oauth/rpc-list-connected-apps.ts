import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ConnectedAppService } from '@parley/proto/identity/v1/oauth_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { OAuthDeps } from './oauth-deps.ts';
import type { Grant } from '../grants/grant.ts';

/** The maximum number of grants that are read; the newest grant of an app represents all of them. */
const GRANTS_MAX = 1000;
const NEVER = new Date(0);

export const listConnectedAppsRpc =
  ({
    grants,
    clients,
    clock,
  }: OAuthDeps): Handler<typeof ConnectedAppService.method.listConnectedApps, EmployeePrincipal> =>
  async (_request, { principal: { companyId, employeeId } }) => {
    const newest = new Map<string, Grant>();
    const lastUses = new Map<string, Date>();
    const own = { employeeId, expiresAt: { $gt: clock.now() } };
    for await (const grant of grants.of(companyId).find(own, { createdAt: -1 }, GRANTS_MAX)) {
      const { clientId, refresh, lastUsedAt } = grant;
      if (refresh && !newest.has(clientId)) newest.set(clientId, grant);
      if (lastUsedAt && lastUsedAt > (lastUses.get(clientId) ?? NEVER)) lastUses.set(clientId, lastUsedAt);
    }
    const names = await clients.named([...newest.keys()]);
    return {
      apps: [...newest.values()].map(({ clientId, scope, createdAt, refresh }) => {
        const lastUsedAt = lastUses.get(clientId);
        return {
          clientId,
          clientName: names.get(clientId) ?? clientId,
          scope,
          allowedAt: timestampFromDate(createdAt),
          ...(refresh && { lastRefreshedAt: timestampFromDate(refresh.issuedAt) }),
          ...(lastUsedAt && { lastUsedAt: timestampFromDate(lastUsedAt) }),
        };
      }),
    };
  };
