import { notFound, Refused } from '@parley/errors';
import type { ApiKeyService } from '@parley/proto/identity/v1/api_keys_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { ApiKeyDeps } from './api-key-deps.ts';

export const revokeOwnApiKeyRpc =
  ({ apiKeys }: ApiKeyDeps): Handler<typeof ApiKeyService.method.revokeOwnApiKey, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId, employeeId } }) => {
    const key = await apiKeys.of(companyId).get(id);
    if (key?.employeeId !== employeeId) throw new Refused(notFound);
    await apiKeys.revoke(id);
    return {};
  };
