import type { FollowerDeps } from './follower-deps.ts';
import type { FollowsEvents } from '@parley/service';
import { onCompanyChanged } from './on-company-changed.ts';
import { onEmployeeCreated } from './on-employee-created.ts';
import { onEmployeeDeleted } from './on-employee-deleted.ts';
import { onEmployeeUpdated } from './on-employee-updated.ts';

/** Follows everything that happens to employees and companies: a gap in an aggregate's events would hold the next one up. */
export function startFollowers(service: FollowsEvents, deps: FollowerDeps): Promise<void> {
  return service.follow({
    name: 'identity-directory',
    handlers: {
      'directory.company.created': onCompanyChanged(deps),
      'directory.company.updated': onCompanyChanged(deps),
      'directory.employee.created': onEmployeeCreated(deps),
      'directory.employee.updated': onEmployeeUpdated(deps),
      'directory.employee.deleted': onEmployeeDeleted(deps),
    },
  });
}
