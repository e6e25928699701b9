import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import type { RpcClient } from '@parley/rpc';
import type { Accounts } from '../accounts/account-store.ts';

/** What the RPCs of passwords work with. */
export interface PasswordDeps {
  readonly accounts: Accounts;
  readonly employees: RpcClient<typeof EmployeeLookupService>;
}
