import type { CredentialDeps } from './credential-deps.ts';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { type RpcServer, services } from '@parley/rpc';
import { checkCredentialRpc } from './rpc-check-credential.ts';
import { refreshEmployeeRpc } from './rpc-refresh-employee.ts';
import { endEmployeeRpc } from './rpc-end-employee.ts';
import { verifyAccessTokenRpc } from './rpc-verify-access-token.ts';
import { verifyApiKeyRpc } from './rpc-verify-api-key.ts';
import { verifySessionRpc } from './rpc-verify-session.ts';

/** Every RPC of the contract and the file of its handler. */
export function addCredentialService(server: RpcServer, deps: CredentialDeps): void {
  server.add(CredentialService, services('gateway'), {
    verifyApiKey: verifyApiKeyRpc(deps),
    verifyAccessToken: verifyAccessTokenRpc(deps),
    verifySession: verifySessionRpc(deps),
    checkCredential: checkCredentialRpc(deps),
    refreshEmployee: refreshEmployeeRpc(deps),
    endEmployee: endEmployeeRpc(deps),
  });
}
