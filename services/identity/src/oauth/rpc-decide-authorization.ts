import { newId } from '@parley/ids';
import type { OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest, newSecret } from '@parley/secrets';
import { decided } from '@parley/errors';
import { openGrant } from '../grants/grant.ts';
import type { OAuthDeps } from './oauth-deps.ts';
import { authorizationRequestFromProto } from './authorization-request-proto.ts';
import { checkAuthorization } from '../authorization/authorization-request.ts';
import { redirectTarget } from '../authorization/redirect-target.ts';

/** Everything is checked again: what the browser sends back need not be what it was shown. */
export const decideAuthorizationRpc = (
  deps: OAuthDeps,
): Handler<typeof OAuthService.method.decideAuthorization, ServicePrincipal> => {
  const { clients, grants, accounts, verifySession, clock } = deps;
  return async ({ request: message, allowed, session }) => {
    const now = clock.now();
    const signedIn = await verifySession(session);
    if (signedIn?.stage !== 'signed_in') return { outcome: { case: 'signedOut', value: true } };
    const request = authorizationRequestFromProto(message);
    const { clientId, redirectUri, state, issuer } = request;
    const check = checkAuthorization(request, await clients.get(clientId, now));
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
      { id: newId('gra'), companyId, employeeId, clientId, scope },
      { digest: digest(code), redirectUri, challenge },
      now,
    );
    await grants.of(companyId).create(decided(opened.state, opened.events));
    await clients.keep(clientId);
    // As with API keys: an employee deleted in the same moment is seen by one side or the other.
    if (await accounts.isDeleted(employeeId)) {
      await grants.endAll({ companyId, employeeId });
      return { outcome: { case: 'signedOut', value: true } };
    }
    return back({ code });
  };
};
