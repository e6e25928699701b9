import type { Clock } from '@parley/clock';
import { Refused, notFound, refused } from '@parley/errors';
import { newId, digest, newSecret } from '@parley/secrets';
import { ApiKeyAdminService, ApiKeyService } from '@parley/proto/identity/v1/api_keys_pb';
import {
  type EmployeePrincipal,
  type Handler,
  type OperatorPrincipal,
  type RpcServer,
  employees,
  operators,
} from '@parley/rpc';
import type { Accounts } from '../accounts/account-store.ts';
import { apiKeyToProto } from './api-key-proto.ts';
import type { ApiKeys } from './api-key-store.ts';
import { type ApiKey, createApiKey, rotateApiKey } from './api-key.ts';

export interface ApiKeyDeps {
  readonly apiKeys: ApiKeys;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

/** Makes a key for an employee. The secret exists here and in the answer, nowhere else. */
async function issueApiKey(
  { apiKeys, accounts, clock }: ApiKeyDeps,
  employee: { companyId: string; employeeId: string },
  name: string,
): Promise<{ key: ApiKey; secret: string }> {
  const secret = newSecret('apiKey');
  const identity = { id: newId('key'), ...employee, name, createdAt: clock.now() };
  const key = await apiKeys.createInFreeSlot(employee, (slot) => createApiKey({ ...identity, slot }, digest(secret)));
  // An employee deleted in the same moment: their mark was set before their keys were looked for, so one of us sees the other.
  if (await accounts.isDeleted(employee.employeeId)) {
    await apiKeys.revokeAll(employee);
    throw new Refused(notFound);
  }
  return { key, secret };
}

const createApiKeyRpc =
  (deps: ApiKeyDeps): Handler<typeof ApiKeyAdminService.method.createApiKey, OperatorPrincipal> =>
  async ({ companyId, employeeId, name }) => {
    const { key, secret } = await issueApiKey(deps, { companyId, employeeId }, name);
    return { id: key.id, name: key.name, apiKey: secret };
  };

const revokeApiKeyRpc =
  ({ apiKeys }: ApiKeyDeps): Handler<typeof ApiKeyAdminService.method.revokeApiKey, OperatorPrincipal> =>
  async ({ id }) => {
    await apiKeys.revoke(id);
    return {};
  };

const createOwnApiKeyRpc =
  (deps: ApiKeyDeps): Handler<typeof ApiKeyService.method.createOwnApiKey, EmployeePrincipal> =>
  async ({ name }, { principal: { companyId, employeeId } }) => {
    const { key, secret } = await issueApiKey(deps, { companyId, employeeId }, name);
    return { key: apiKeyToProto(key, deps.clock.now()), apiKey: secret };
  };

const listOwnApiKeysRpc =
  ({ apiKeys, clock }: ApiKeyDeps): Handler<typeof ApiKeyService.method.listOwnApiKeys, EmployeePrincipal> =>
  async (_request, { principal: { companyId, employeeId } }) => {
    const keys = [];
    for await (const key of apiKeys.of(companyId).find({ employeeId }, { createdAt: -1 })) {
      keys.push(apiKeyToProto(key, clock.now()));
    }
    return { apiKeys: keys };
  };

const revokeOwnApiKeyRpc =
  ({ apiKeys }: ApiKeyDeps): Handler<typeof ApiKeyService.method.revokeOwnApiKey, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId, employeeId } }) => {
    const key = await apiKeys.of(companyId).get(id);
    if (key?.employeeId !== employeeId) throw new Refused(notFound);
    await apiKeys.revoke(id);
    return {};
  };

const rotateOwnApiKeyRpc =
  ({ apiKeys, clock }: ApiKeyDeps): Handler<typeof ApiKeyService.method.rotateOwnApiKey, EmployeePrincipal> =>
  async ({ id, overlapSecs }, { principal: { companyId, employeeId } }) => {
    const secret = newSecret('apiKey');
    const key = await apiKeys
      .of(companyId)
      .change(id, (current) =>
        current.employeeId === employeeId
          ? rotateApiKey(current, digest(secret), overlapSecs, clock.now())
          : refused(notFound),
      );
    return { key: apiKeyToProto(key, clock.now()), apiKey: secret };
  };

/** Every RPC of the contract and its handler. */
export function addApiKeyServices(server: RpcServer, deps: ApiKeyDeps): void {
  server.add(ApiKeyAdminService, operators, {
    createApiKey: createApiKeyRpc(deps),
    revokeApiKey: revokeApiKeyRpc(deps),
  });
  server.add(ApiKeyService, employees.withRole('member'), {
    listOwnApiKeys: listOwnApiKeysRpc(deps),
    createOwnApiKey: createOwnApiKeyRpc(deps),
    revokeOwnApiKey: revokeOwnApiKeyRpc(deps),
    rotateOwnApiKey: rotateOwnApiKeyRpc(deps),
  });
}
