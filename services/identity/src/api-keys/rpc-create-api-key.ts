import type { ApiKeyAdminService } from '@parley/proto/identity/v1/api_keys_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import type { ApiKeyDeps } from './api-key-deps.ts';
import { issueApiKey } from './issue-api-key.ts';

export const createApiKeyRpc =
  (deps: ApiKeyDeps): Handler<typeof ApiKeyAdminService.method.createApiKey, OperatorPrincipal> =>
  async ({ companyId, employeeId, name }) => {
    const { key, secret } = await issueApiKey(deps, { companyId, employeeId }, name);
    return { id: key.id, name: key.name, apiKey: secret };
  };
