import type { ApiKeyAdminService } from '@parley/proto/identity/v1/api_keys_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import type { ApiKeyDeps } from './api-key-deps.ts';

export const revokeApiKeyRpc =
  ({ apiKeys }: ApiKeyDeps): Handler<typeof ApiKeyAdminService.method.revokeApiKey, OperatorPrincipal> =>
  async ({ id }) => {
    await apiKeys.revoke(id);
    return {};
  };
