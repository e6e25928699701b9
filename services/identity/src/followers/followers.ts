import { type Activity, type Clock } from '@parley/clock';
import { type Broker, type Follower, startFollower } from '@parley/events';
import type { Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { Accounts } from '../accounts/account-store.ts';
import type { ApiKeys } from '../api-keys/api-key-store.ts';
import { onEmployeeCreated } from './on-employee-created.ts';
import { onEmployeeDeleted } from './on-employee-deleted.ts';
import { onEmployeeUpdated } from './on-employee-updated.ts';

/** What following directory works with. */
export interface FollowerDeps {
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeys;
  readonly clock: Clock;
}

/** Follows everything that happens to an employee: a gap in an aggregate's events would hold the next one up. */
export function startFollowers(
  deps: FollowerDeps,
  transport: { broker: Broker; db: Db; activity: Activity; telemetry: Telemetry },
): Promise<Follower> {
  return startFollower({
    name: 'identity-employees',
    ...transport,
    handlers: {
      'directory.employee.created': onEmployeeCreated(deps),
      'directory.employee.updated': onEmployeeUpdated(deps),
      'directory.employee.deleted': onEmployeeDeleted(deps),
    },
  });
}
