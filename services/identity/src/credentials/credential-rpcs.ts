import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { refusal, Refused } from '@parley/errors';
import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { CredentialService, CredentialType, type PrincipalSchema } from '@parley/proto/identity/v1/credentials_pb';
import { type Handler, type RpcClient, type RpcServer, type ServicePrincipal, services } from '@parley/rpc';
import { digest } from '@parley/secrets';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Role, roleToProto } from '@parley/actor';
import type { Accounts } from '../accounts/account-store.ts';
import { hasEnded } from '../accounts/account-activity.ts';
import { type CurrentAccount, refreshAccount } from '../accounts/current-account.ts';
import type { ApiKeys } from '../api-keys/api-key-store.ts';
import { validUntil } from '../api-keys/api-key.ts';
import type { Grants } from '../grants/grant-store.ts';
import { accessUntil } from '../grants/grant.ts';
import type { OAuthClients } from '../oauth-clients/oauth-client-store.ts';
import { type Sessions, stageToProto } from '../sessions/session-store.ts';
import { isLive } from '../sessions/session.ts';
import type { SessionVerifier } from '../sessions/verify-session.ts';
import { type EmployeeStores, endEmployee } from './end-employee.ts';
import type { UsedCredential } from './record-use.ts';
import type { Account } from '../accounts/account.ts';

interface CredentialDeps {
  readonly apiKeys: ApiKeys;
  readonly recordKeyUse: (key: UsedCredential) => void;
  readonly grants: Grants;
  readonly recordGrantUse: (grant: UsedCredential) => void;
  readonly verifySession: SessionVerifier;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly clients: OAuthClients;
  /** Undefined when the employee was deleted or is deactivated. */
  readonly currentAccount: CurrentAccount;
  readonly clock: Clock;
  readonly employees: RpcClient<typeof EmployeeLookupService>;
  readonly stores: EmployeeStores;
}

const verifyApiKeyRpc =
  ({
    apiKeys,
    recordKeyUse,
    currentAccount,
    clock,
  }: CredentialDeps): Handler<typeof CredentialService.method.verifyApiKey, ServicePrincipal> =>
  async (request) => {
    const sent = digest(request.apiKey);
    const key = await apiKeys.byDigest(sent);
    const until = key && validUntil(key, sent, clock.now());
    if (!key || until === undefined) return {};
    const account = await currentAccount(key.employeeId);
    if (!account || hasEnded(account, key.createdAt)) return {};
    recordKeyUse(key);
    return {
      principal: principalOf(account, 'api_key', key),
      ...(until !== null && { validUntil: timestampFromDate(until) }),
    };
  };

const verifyAccessTokenRpc =
  ({
    grants,
    recordGrantUse,
    currentAccount,
    clients,
    clock,
  }: CredentialDeps): Handler<typeof CredentialService.method.verifyAccessToken, ServicePrincipal> =>
  async ({ accessToken }) => {
    const sent = digest(accessToken);
    const grant = await grants.byAccessToken(sent);
    const now = clock.now();
    const until = grant && accessUntil(grant, sent, now);
    if (!grant || !until) return {};
    const [account, client] = await Promise.all([currentAccount(grant.employeeId), clients.get(grant.clientId, now)]);
    if (!account || hasEnded(account, grant.createdAt)) return {};
    recordGrantUse(grant);
    return {
      principal: principalOf(account, 'oauth_token', { id: grant.id, name: client?.name ?? grant.clientId }),
      validUntil: timestampFromDate(until),
    };
  };

const verifySessionRpc =
  ({
    verifySession,
    currentAccount,
  }: CredentialDeps): Handler<typeof CredentialService.method.verifySession, ServicePrincipal> =>
  async (request) => {
    const verified = await verifySession(request.session);
    if (!verified) return {};
    const { session, stage } = verified;
    const account = await currentAccount(verified.account.employeeId, verified.account);
    if (!account) return {};
    const { name, email, unconfirmedEmail } = account;
    return {
      stage: stageToProto[stage],
      name,
      email,
      unconfirmedEmail: unconfirmedEmail?.email ?? '',
      emailChange: BigInt(unconfirmedEmail?.change ?? 0),
      ...(stage === 'signed_in' && { principal: principalOf(account, 'session', { id: session.id, name: '' }) }),
    };
  };

/** Takes the id, which is no secret, so that services can check whether the credential behind an earlier grant is still valid. */
const checkCredentialRpc =
  (deps: CredentialDeps): Handler<typeof CredentialService.method.checkCredential, ServicePrincipal> =>
  async ({ credentialType, credentialId }) => {
    const find = finders[credentialType];
    const found = await find(deps, credentialId);
    const account = found && (await deps.currentAccount(found.employeeId));
    return account && !hasEnded(account, found.createdAt)
      ? { principal: principalOf(account, found.type, { id: credentialId, name: found.name }) }
      : {};
  };

type Found =
  | { employeeId: string; type: 'api_key' | 'oauth_token' | 'session'; name: string; createdAt: Date }
  | undefined;

// The id of a credential does not contain its company, so the queries span all companies.
const finders: Readonly<Record<CredentialType, (deps: CredentialDeps, id: string) => Promise<Found>>> = {
  [CredentialType.UNSPECIFIED]: async () => undefined,
  async [CredentialType.API_KEY]({ apiKeys }, id) {
    const key = await apiKeys.acrossCompanies.get(id);
    return key && { employeeId: key.employeeId, type: 'api_key', name: key.name, createdAt: key.createdAt };
  },
  async [CredentialType.OAUTH_TOKEN]({ grants, clients, clock }, id) {
    const grant = await grants.acrossCompanies.get(id);
    const now = clock.now();
    if (!grant?.accessTokens.some(({ expiresAt }) => expiresAt > now)) return undefined;
    const client = await clients.get(grant.clientId, now);
    const { employeeId, clientId, createdAt } = grant;
    return { employeeId, type: 'oauth_token', name: client?.name ?? clientId, createdAt };
  },
  async [CredentialType.SESSION]({ sessions, accounts, clock }, id) {
    const session = await sessions.acrossCompanies.get(id);
    const account = session && (await accounts.byEmployee(session.employeeId));
    if (!account || session.stage !== 'signed_in' || !isLive(session, account, clock.now())) return undefined;
    return { employeeId: session.employeeId, type: 'session', name: '', createdAt: session.createdAt };
  },
};

const refreshEmployeeRpc =
  ({
    accounts,
    employees,
  }: CredentialDeps): Handler<typeof CredentialService.method.refreshEmployee, ServicePrincipal> =>
  async ({ employeeId }) => {
    await refreshAccount(accounts, employees, employeeId);
    return {};
  };

const stillThere = refusal('conflict', 'the employee is not deleted in directory');

/** This cannot be undone, so the deletion is verified with directory. */
const endEmployeeRpc =
  ({ employees, stores }: CredentialDeps): Handler<typeof CredentialService.method.endEmployee, ServicePrincipal> =>
  async ({ employeeId, companyId }) => {
    const isThere = await employees.getEmployee({ id: employeeId }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refused && error.refusal.code === 'not_found') return false;
        throw error;
      },
    );
    if (isThere) throw new Refused(stillThere);
    await endEmployee(stores, { id: employeeId, companyId, name: '', email: '' });
    return {};
  };

/** Every RPC of the contract and its handler. */
export function addCredentialService(server: RpcServer, deps: CredentialDeps): void {
  const gateway = services('gateway');
  const accessRules = {
    verifyApiKey: gateway,
    verifyAccessToken: gateway,
    verifySession: gateway,
    checkCredential: services('gateway', 'messaging-inbox'),
    refreshEmployee: services('gateway', 'directory'),
    endEmployee: gateway,
  };
  server.add(CredentialService, accessRules, {
    verifyApiKey: verifyApiKeyRpc(deps),
    verifyAccessToken: verifyAccessTokenRpc(deps),
    verifySession: verifySessionRpc(deps),
    checkCredential: checkCredentialRpc(deps),
    refreshEmployee: refreshEmployeeRpc(deps),
    endEmployee: endEmployeeRpc(deps),
  });
}

const credentialTypes = {
  api_key: CredentialType.API_KEY,
  oauth_token: CredentialType.OAUTH_TOKEN,
  session: CredentialType.SESSION,
} as const;

/** Whom a credential acts for, and what the credential is. */
function principalOf(
  {
    companyId,
    employeeId,
    name: employeeName,
    role,
  }: Pick<Account, 'companyId' | 'employeeId' | 'name'> & {
    readonly role: Role;
  },
  type: keyof typeof credentialTypes,
  { id, name }: { readonly id: string; readonly name: string },
): MessageInitShape<typeof PrincipalSchema> {
  const credential = { credentialId: id, credentialType: credentialTypes[type], credentialName: name };
  return { companyId, employeeId, employeeName, role: roleToProto[role], ...credential };
}
