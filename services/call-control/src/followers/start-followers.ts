import type { FollowerDeps } from './follower-deps.ts';
import type { Broker } from '@parley/events';
import { type ServiceRuntime, openFollower } from '@parley/service';
import type { Db } from 'mongodb';
import { onEmployeeChanged } from './on-employee-changed.ts';
import { onEmployeeDeleted } from './on-employee-deleted.ts';

/** Follows everything that happens to employees: a gap in an aggregate's events would hold the next one up. */
export function startFollowers(
  runtime: ServiceRuntime,
  deps: FollowerDeps,
  transport: { broker: Broker; db: Db },
): Promise<void> {
  return openFollower(runtime, {
    name: 'call-control-employees',
    ...transport,
    handlers: {
      'directory.employee.created': onEmployeeChanged(deps),
      'directory.employee.updated': onEmployeeChanged(deps),
      'directory.employee.status_changed': onEmployeeChanged(deps),
      'directory.employee.deleted': onEmployeeDeleted(deps),
    },
  });
}
