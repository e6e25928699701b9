import type { Clock } from '@parley/clock';
import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { type RpcClient, type RpcServer, services } from '@parley/rpc';
import type { EmployeeStores } from '../accounts/end-employee.ts';
import type { ApiKey } from '../api-keys/api-key.ts';
import type { ApiKeys } from '../api-keys/api-key-store.ts';
import type { Grants } from '../grants/grant-store.ts';
import type { SessionVerifier } from '../sessions/verify-session.ts';
import { endEmployeeRpc } from './rpc-end-employee.ts';
import { verifyAccessTokenRpc } from './rpc-verify-access-token.ts';
import { verifyApiKeyRpc } from './rpc-verify-api-key.ts';
import { verifySessionRpc } from './rpc-verify-session.ts';

/** What verification works with. */
export interface CredentialDeps {
  readonly apiKeys: ApiKeys;
  readonly recordUse: (key: ApiKey) => void;
  readonly grants: Grants;
  readonly verifySession: SessionVerifier;
  readonly clock: Clock;
  readonly employees: RpcClient<typeof EmployeeLookupService>;
  readonly stores: EmployeeStores;
}

/** Every RPC of the contract and the file that answers it. */
export function addCredentialService(server: RpcServer, deps: CredentialDeps): void {
  server.add(CredentialService, services('gateway'), {
    verifyApiKey: verifyApiKeyRpc(deps),
    verifyAccessToken: verifyAccessTokenRpc(deps),
    verifySession: verifySessionRpc(deps),
    endEmployee: endEmployeeRpc(deps),
  });
}
