import { type CredentialService, CredentialType } from '@parley/proto/identity/v1/credentials_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { isLive } from '../sessions/session.ts';
import type { CredentialDeps } from './credential-deps.ts';
import { principalOf } from './credential-principal.ts';

/** By its id, which is no secret: for what was given to the credential before. */
export const checkCredentialRpc =
  (deps: CredentialDeps): Handler<typeof CredentialService.method.checkCredential, ServicePrincipal> =>
  async ({ credentialType, credentialId }) => {
    const find = finders[credentialType];
    const found = await find(deps, credentialId);
    const account = found && (await deps.currentAccount(found.employeeId));
    return account ? { principal: principalOf(account, found.type, { id: credentialId, name: found.name }) } : {};
  };

type Found = { employeeId: string; type: 'api_key' | 'oauth_token' | 'session'; name: string } | undefined;

// The id of a credential does not contain its company, so the queries span all companies.
const finders: Readonly<Record<CredentialType, (deps: CredentialDeps, id: string) => Promise<Found>>> = {
  [CredentialType.UNSPECIFIED]: async () => undefined,
  async [CredentialType.API_KEY]({ apiKeys }, id) {
    const key = await apiKeys.acrossCompanies.get(id);
    return key && { employeeId: key.employeeId, type: 'api_key', name: key.name };
  },
  async [CredentialType.OAUTH_TOKEN]({ grants, clients, clock }, id) {
    const grant = await grants.acrossCompanies.get(id);
    const now = clock.now();
    if (!grant?.accessTokens.some(({ expiresAt }) => expiresAt > now)) return undefined;
    const client = await clients.get(grant.clientId, now);
    return { employeeId: grant.employeeId, type: 'oauth_token', name: client?.name ?? grant.clientId };
  },
  async [CredentialType.SESSION]({ sessions, accounts, clock }, id) {
    const session = await sessions.acrossCompanies.get(id);
    const account = session && (await accounts.byEmployee(session.employeeId));
    if (!account || session.stage !== 'signed_in' || !isLive(session, account, clock.now())) return undefined;
    return { employeeId: session.employeeId, type: 'session', name: '' };
  },
};
