import type { ApiKeyService } from '@parley/proto/identity/v1/api_keys_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { apiKeyToProto } from './api-key-proto.ts';
import type { ApiKeyDeps } from './api-key-deps.ts';
import { issueApiKey } from './issue-api-key.ts';

export const createOwnApiKeyRpc =
  (deps: ApiKeyDeps): Handler<typeof ApiKeyService.method.createOwnApiKey, EmployeePrincipal> =>
  async ({ name }, { principal: { companyId, employeeId } }) => {
    const { key, secret } = await issueApiKey(deps, { companyId, employeeId }, name);
    return { key: apiKeyToProto(key, deps.clock.now()), apiKey: secret };
  };
