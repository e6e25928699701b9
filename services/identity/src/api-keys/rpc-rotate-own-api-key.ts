import { notFound, refused } from '@parley/errors';
import type { ApiKeyService } from '@parley/proto/identity/v1/api_keys_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { digest, newSecret } from '@parley/secrets';
import { rotateApiKey } from './api-key.ts';
import { apiKeyToProto } from './api-key-proto.ts';
import type { ApiKeyDeps } from './api-key-deps.ts';

export const rotateOwnApiKeyRpc =
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
