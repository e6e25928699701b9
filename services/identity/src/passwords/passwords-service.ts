import { PasswordAdminService } from '@parley/proto/identity/v1/passwords_pb';
import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { operators, type RpcClient, type RpcServer } from '@parley/rpc';
import type { Accounts } from '../accounts/account-store.ts';
import { setPasswordRpc } from './rpc-set-password.ts';

/** What the RPCs of passwords work with. */
export interface PasswordDeps {
  readonly accounts: Accounts;
  readonly employees: RpcClient<typeof EmployeeLookupService>;
}

/** Every RPC of the contract and the file that answers it. */
export function addPasswordAdminService(server: RpcServer, deps: PasswordDeps): void {
  server.add(PasswordAdminService, operators, { setPassword: setPasswordRpc(deps) });
}
