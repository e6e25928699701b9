import type { Clock } from '@parley/clock';
import type { Broker } from '@parley/events';
import { type Basis, openFollower } from '@parley/service';
import type { Db } from 'mongodb';
import type { Accounts } from '../accounts/account-store.ts';
import type { ApiKeys } from '../api-keys/api-key-store.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import type { Devices } from '../devices/device-store.ts';
import type { Grants } from '../grants/grant-store.ts';
import type { InvitationMails } from '../invitations/invitation-store.ts';
import type { Sessions } from '../sessions/session-store.ts';
import { onCompanyCreated, onCompanyUpdated } from './on-company-changed.ts';
import { onEmployeeCreated } from './on-employee-created.ts';
import { onEmployeeDeleted } from './on-employee-deleted.ts';
import { onEmployeeUpdated } from './on-employee-updated.ts';

/** What following directory works with. */
export interface FollowerDeps {
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly grants: Grants;
  readonly devices: Devices;
  readonly invitationMails: InvitationMails;
  readonly companyRules: CompanyRules;
  /** There is an invitation to send. */
  readonly invited: () => void;
  readonly clock: Clock;
}

/** Follows everything that happens to employees and companies: a gap in an aggregate's events would hold the next one up. */
export function startFollowers(basis: Basis, deps: FollowerDeps, transport: { broker: Broker; db: Db }): Promise<void> {
  return openFollower(basis, {
    name: 'identity-directory',
    ...transport,
    handlers: {
      'directory.company.created': onCompanyCreated(deps),
      'directory.company.updated': onCompanyUpdated(deps),
      'directory.employee.created': onEmployeeCreated(deps),
      'directory.employee.updated': onEmployeeUpdated(deps),
      // The same snapshot; without it the next event of the employee would wait for it.
      'directory.employee.status_changed': onEmployeeUpdated(deps),
      'directory.employee.deleted': onEmployeeDeleted(deps),
    },
  });
}
