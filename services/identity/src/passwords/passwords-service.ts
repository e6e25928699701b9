import type { PasswordDeps } from './password-deps.ts';
import { PasswordAdminService } from '@parley/proto/identity/v1/passwords_pb';
import { operators, type RpcServer } from '@parley/rpc';
import { setPasswordRpc } from './rpc-set-password.ts';

/** Every RPC of the contract and the file of its handler. */
export function addPasswordAdminService(server: RpcServer, deps: PasswordDeps): void {
  server.add(PasswordAdminService, operators, { setPassword: setPasswordRpc(deps) });
}
