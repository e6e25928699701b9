import type { IntegrationDeps } from './integration-deps.ts';
import { IntegrationAdminService } from '@parley/proto/directory/v1/integrations_pb';
import { operators, type RpcServer } from '@parley/rpc';
import { removeIntegrationRpc } from './rpc-remove-integration.ts';
import { setIntegrationRpc } from './rpc-set-integration.ts';

/** Every RPC of the contract and the file of its handler. */
export function addIntegrationAdminService(server: RpcServer, deps: IntegrationDeps): void {
  server.add(IntegrationAdminService, operators, {
    setIntegration: setIntegrationRpc(deps),
    removeIntegration: removeIntegrationRpc(deps),
  });
}
