import type { FollowsEvents } from '@parley/service';
import type { StatusListeners } from '../presence/status-listeners.ts';
import type { SearchIndex } from '../search/search-store.ts';
import type { FollowerDeps } from './follower-deps.ts';
import { onCallerContextSaved } from './on-caller-context-saved.ts';
import { onCompanyChanged } from './on-company-changed.ts';
import { onCredentialCreated, onCredentialRevoked } from './on-credential-revoked.ts';
import { onEmployeeChanged } from './on-employee-changed.ts';
import { onEmployeeDeleted } from './on-employee-deleted.ts';
import { onEmployeeStatus } from './on-employee-status.ts';

/** Keeps the copies of directory's employees and caller contexts, ends softphone sessions with their credentials, and notifies this service's own calls of status changes. */
export async function startFollowers(
  service: FollowsEvents,
  deps: FollowerDeps &
    Parameters<typeof onCompanyChanged>[0] & {
      readonly statusListeners: StatusListeners;
      readonly search: SearchIndex;
    },
): Promise<void> {
  await service.follow({
    name: 'call-control-employees',
    handlers: {
      'directory.employee.created': onEmployeeChanged(deps),
      'directory.employee.updated': onEmployeeChanged(deps),
      'directory.employee.deleted': onEmployeeDeleted(deps),
      'directory.company.updated': onCompanyChanged(deps),
    },
  });
  await service.follow({
    name: 'call-control-credentials',
    handlers: {
      'identity.credential.revoked': onCredentialRevoked(deps),
      'identity.api_key.created': onCredentialCreated,
      'identity.grant.created': onCredentialCreated,
      'identity.employee.signed_in': onCredentialCreated,
    },
  });
  await service.follow({
    name: 'call-control-caller-contexts',
    handlers: { 'directory.caller_context.saved': onCallerContextSaved(deps.search) },
  });
  await service.follow({
    name: 'call-control-employee-status',
    handlers: {
      'call-control.employee_status.changed': onEmployeeStatus(deps.statusListeners),
      'call-control.employee_status.ended': onEmployeeStatus(deps.statusListeners),
    },
  });
}
