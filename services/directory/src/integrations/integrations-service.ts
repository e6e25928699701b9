import type { EgressPolicy } from '@parley/egress';
import { IntegrationAdminService } from '@parley/proto/directory/v1/integrations_pb';
import { operators, type RpcServer } from '@parley/rpc';
import type { Encryptor } from '@parley/secrets';
import type { Companies } from '../companies/company-store.ts';
import type { Integrations } from './integration-store.ts';
import { removeIntegrationRpc } from './rpc-remove-integration.ts';
import { setIntegrationRpc } from './rpc-set-integration.ts';

/** What the RPCs of integrations work with. */
export interface IntegrationDeps {
  readonly integrations: Integrations;
  readonly companies: Companies;
  readonly encryptor: Encryptor;
  readonly egressPolicy: EgressPolicy;
}

/** Every RPC of the contract and the file that answers it. */
export function addIntegrationAdminService(server: RpcServer, deps: IntegrationDeps): void {
  server.add(IntegrationAdminService, operators, {
    setIntegration: setIntegrationRpc(deps),
    removeIntegration: removeIntegrationRpc(deps),
  });
}
