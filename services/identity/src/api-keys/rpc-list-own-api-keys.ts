import type { ApiKeyService } from '@parley/proto/identity/v1/api_keys_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { apiKeyToProto } from './api-key-proto.ts';
import type { ApiKeyDeps } from './api-key-deps.ts';

export const listOwnApiKeysRpc =
  ({ apiKeys, clock }: ApiKeyDeps): Handler<typeof ApiKeyService.method.listOwnApiKeys, EmployeePrincipal> =>
  async (_request, { principal: { companyId, employeeId } }) => {
    const keys = [];
    for await (const key of apiKeys.of(companyId).find({ employeeId }, { createdAt: -1 })) {
      keys.push(apiKeyToProto(key, clock.now()));
    }
    return { apiKeys: keys };
  };
