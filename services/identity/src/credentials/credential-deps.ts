import type { Clock } from '@parley/clock';
import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import type { RpcClient } from '@parley/rpc';
import type { OAuthClients } from '../oauth-clients/oauth-client-store.ts';
import type { Sessions } from '../sessions/session-store.ts';
import type { Accounts } from '../accounts/account-store.ts';
import type { CurrentAccount } from '../accounts/current-account.ts';
import type { EmployeeStores } from './end-employee.ts';
import type { ApiKeys } from '../api-keys/api-key-store.ts';
import type { Grants } from '../grants/grant-store.ts';
import type { SessionVerifier } from '../sessions/verify-session.ts';
import type { UsedCredential } from './record-use.ts';

/** What verification works with. */
export interface CredentialDeps {
  readonly apiKeys: ApiKeys;
  readonly recordKeyUse: (key: UsedCredential) => void;
  readonly grants: Grants;
  readonly recordGrantUse: (grant: UsedCredential) => void;
  readonly verifySession: SessionVerifier;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly clients: OAuthClients;
  /** Undefined when the employee was deleted. */
  readonly currentAccount: CurrentAccount;
  readonly clock: Clock;
  readonly employees: RpcClient<typeof EmployeeLookupService>;
  readonly stores: EmployeeStores;
}
