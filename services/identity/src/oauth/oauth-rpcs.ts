import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { decided, invalid, Refused } from '@parley/errors';
import { digest, newId, newSecret } from '@parley/secrets';
import {
  type AuthorizationRequest as AuthorizationRequestMessage,
  ConnectedAppService,
  OAuthClientAdminService,
  type OAuthClientSchema,
  OAuthService,
} from '@parley/proto/identity/v1/oauth_pb';
import {
  type EmployeePrincipal,
  employees,
  type Handler,
  type OperatorPrincipal,
  operators,
  type RpcServer,
  type ServicePrincipal,
  services,
} from '@parley/rpc';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AuthorizationRequest,
  checkAuthorization,
  redirectTarget,
} from '../authorization/authorization-request.ts';
import { type Grant, openGrant, returnToken } from '../grants/grant.ts';
import { issueTokensRpc, type OAuthDeps } from './issue-tokens.ts';
import { readRefreshToken } from '../grants/token-pair.ts';
import { issuedClient, type OAuthClient, readClientMetadata, registeredClient } from '../oauth-clients/oauth-client.ts';
import { redirectHost } from '../oauth-clients/redirect-uri.ts';
import { oauthError } from '../oauth-protocol/oauth-error.ts';
import { runAsEmployee } from '../audit/credential-audit.ts';

/** Registration is open, so storage is bounded: about 9 kB for each of these. */
const REGISTRATIONS = { max: 300, windowSecs: 60 };
const REGISTRATIONS_PER_DAY = { max: 2000, windowSecs: 24 * 3600 };
const tooManyRegistrations = oauthError('temporarily_unavailable', 'too many registrations; try again later');

const registerClientRpc =
  ({ clients, throttles, clock }: OAuthDeps): Handler<typeof OAuthService.method.registerClient, ServicePrincipal> =>
  async ({ redirectUris, clientName, address }) => {
    const result = await throttles.consume(['registrations', address], REGISTRATIONS);
    if (!result.allowed) return { outcome: { case: 'error', value: tooManyRegistrations } };
    const read = readClientMetadata({ redirectUris, clientName }, { customSchemes: false });
    if (!read.ok) return { outcome: { case: 'error', value: read.error } };
    const stored = await throttles.consume(['registrations in a day', address], REGISTRATIONS_PER_DAY);
    if (!stored.allowed) return { outcome: { case: 'error', value: tooManyRegistrations } };
    const client = registeredClient(newId('app'), read.details, clock.now());
    await clients.add(client);
    return { outcome: { case: 'client', value: clientToProto(client) } };
  };

const checkAuthorizationRpc =
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

/** Everything is checked again: what the browser sends back need not be what it was shown. */
const decideAuthorizationRpc = (
  deps: OAuthDeps,
): Handler<typeof OAuthService.method.decideAuthorization, ServicePrincipal> => {
  const { clients, grants, accounts, verifySession, clock } = deps;
  return async ({ request: message, allowed, session }) => {
    const now = clock.now();
    const signedIn = await verifySession(session);
    if (signedIn?.stage !== 'signed_in') return { outcome: { case: 'signedOut', value: true } };
    const request = authorizationRequestFromProto(message);
    const { clientId, redirectUri, state, issuer } = request;
    const client = await clients.get(clientId, now);
    const check = checkAuthorization(request, client);
    if (check.kind === 'error') return { outcome: { case: 'error', value: check.error } };
    if (check.kind === 'redirect') return { outcome: { case: 'redirect', value: check.redirect } };
    const { scope, codeChallenge: challenge } = check.code;
    const back = (answer: Record<string, string>) => ({
      outcome: { case: 'redirect' as const, value: redirectTarget(redirectUri, { ...answer, state, iss: issuer }) },
    });
    if (!allowed) return back({ error: 'access_denied', error_description: 'the employee denied access' });

    const { companyId, employeeId } = signedIn.session;
    const code = newSecret('authorizationCode');
    const opened = openGrant(
      { id: newId('gra'), companyId, employeeId, clientId, clientName: client?.name ?? '', scope },
      { digest: digest(code), redirectUri, challenge },
      now,
    );
    await runAsEmployee(signedIn.account, signedIn.session.id, () =>
      grants.of(companyId).create(decided(opened.state, opened.events)),
    );
    await clients.keep(clientId);
    // An employee may be deleted at the same moment: either the deletion finds this grant, or this check finds the deletion.
    if (await accounts.isDeleted(employeeId)) {
      await grants.endAll({ companyId, employeeId });
      return { outcome: { case: 'signedOut', value: true } };
    }
    return back({ code });
  };
};

/** RFC 7009: the response is always the same. `token_type_hint` is not needed. */
const revokeTokenRpc =
  ({ grants }: OAuthDeps): Handler<typeof OAuthService.method.revokeToken, ServicePrincipal> =>
  async ({ token, clientId }) => {
    const refreshToken = readRefreshToken(token);
    const accessDigest = refreshToken ? undefined : digest(token);
    const grant = refreshToken
      ? await grants.byRefreshFamily(refreshToken.familyDigest)
      : await grants.byAccessToken(digest(token));
    if (!grant) return {};
    const isRevoked = await grants.decide(grant, (current) => returnToken(current, clientId, accessDigest));
    return isRevoked ? { revoked: { credentialId: grant.id, employeeId: grant.employeeId } } : {};
  };

const createOAuthClientRpc =
  ({
    clients,
    clock,
  }: OAuthDeps): Handler<typeof OAuthClientAdminService.method.createOAuthClient, OperatorPrincipal> =>
  async ({ clientName, redirectUris, deviceGrant }) => {
    if (clientName.trim() === '') throw new Refused(invalid({ client_name: ['is required'] }));
    if (redirectUris.length === 0 && !deviceGrant) throw new Refused(invalid({ redirect_uris: ['is required'] }));
    const read = readClientMetadata({ redirectUris, clientName }, { customSchemes: true });
    if (!read.ok) {
      const [, field = 'client_name', problem = 'is invalid'] = /^(\S+) (.*)$/.exec(read.error.errorDescription) ?? [];
      throw new Refused(invalid({ [field]: [problem] }));
    }
    const client = issuedClient(newId('app'), { ...read.details, deviceGrant }, clock.now());
    await clients.add(client);
    return { client: clientToProto(client) };
  };

/** The maximum number of grants that are read; the newest grant of an app represents all of them. */
const GRANTS_MAX = 1000;
const NEVER = new Date(0);

const listConnectedAppsRpc =
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

const revokeConnectedAppRpc =
  ({ grants }: OAuthDeps): Handler<typeof ConnectedAppService.method.revokeConnectedApp, EmployeePrincipal> =>
  async ({ clientId }, { principal: { companyId, employeeId } }) => {
    await grants.endAll({ companyId, employeeId }, { clientId });
    return {};
  };

/** Every RPC of the contract and its handler. */
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

function authorizationRequestFromProto(message: AuthorizationRequestMessage | undefined): AuthorizationRequest {
  const parameters = message?.parameters;
  if (!message || !parameters?.case) throw new Error('an authorization request without parameters');
  const { clientId, redirectUri, state, issuer } = message;
  return { clientId, redirectUri, state, issuer, parameters: parameters.value };
}

function clientToProto(client: OAuthClient): MessageInitShape<typeof OAuthClientSchema> {
  return {
    clientId: client.id,
    issuedAt: timestampFromDate(client.issuedAt),
    clientName: client.name,
    redirectUris: [...client.redirectUris],
    deviceGrant: client.deviceGrant ?? false,
  };
}
