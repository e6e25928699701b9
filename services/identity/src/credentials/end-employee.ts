import type { Clock } from '@parley/clock';
import type { ApiKeys } from '../api-keys/api-key-store.ts';
import type { Devices } from '../devices/device-store.ts';
import type { Grants } from '../grants/grant-store.ts';
import type { InvitationMails } from '../invitations/invitation-store.ts';
import type { Sessions } from '../sessions/session-store.ts';
import { type AccountHolder, accountIdOf, closeAccount } from '../accounts/account.ts';
import type { Accounts } from '../accounts/account-store.ts';

/** Everything that is an employee's. */
export interface EmployeeStores {
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly grants: Grants;
  readonly devices: Devices;
  readonly invitationMails: InvitationMails;
  readonly clock: Clock;
}

/**
 * Removes everything of a deleted employee; idempotent. The account is marked first: a request that
 * creates a credential meanwhile looks for it afterwards.
 */
export async function endEmployee(stores: EmployeeStores, employee: AccountHolder): Promise<void> {
  const { accounts, apiKeys, sessions, grants, devices, invitationMails, clock } = stores;
  const gone = { companyId: employee.companyId, employeeId: employee.id };
  await accounts.ensure(employee);
  await accounts
    .of(gone.companyId)
    .change(accountIdOf(gone.employeeId), (current) => closeAccount(current, clock.now()));
  await apiKeys.revokeAll(gone);
  await grants.endAll(gone);
  await sessions.endAll(gone);
  await devices.removeAll(gone.employeeId);
  await invitationMails.remove(employee);
}
