import type { ApiKeyDeps } from './api-key-deps.ts';
import { ApiKeyAdminService, ApiKeyService } from '@parley/proto/identity/v1/api_keys_pb';
import { employees, operators, type RpcServer } from '@parley/rpc';
import { createApiKeyRpc } from './rpc-create-api-key.ts';
import { createOwnApiKeyRpc } from './rpc-create-own-api-key.ts';
import { listOwnApiKeysRpc } from './rpc-list-own-api-keys.ts';
import { revokeApiKeyRpc } from './rpc-revoke-api-key.ts';
import { revokeOwnApiKeyRpc } from './rpc-revoke-own-api-key.ts';
import { rotateOwnApiKeyRpc } from './rpc-rotate-own-api-key.ts';

/** Every RPC of the contract and the file of its handler. */
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
