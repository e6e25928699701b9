import type { Clock } from '@parley/clock';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { ApiKey } from '../api-keys/api-key.ts';
import type { ApiKeys } from '../api-keys/api-key-store.ts';
import { verifyApiKeyRpc } from './rpc-verify-api-key.ts';

/** What verification works with. */
export interface CredentialDeps {
  readonly apiKeys: ApiKeys;
  readonly recordUse: (key: ApiKey) => void;
  readonly clock: Clock;
}

/** Every RPC of the contract and the file that answers it. */
export function addCredentialService(server: RpcServer, deps: CredentialDeps): void {
  server.add(CredentialService, services('gateway'), { verifyApiKey: verifyApiKeyRpc(deps) });
}
