import type { Broker } from '@parley/events';
import { openFollower, type ServiceRuntime } from '@parley/service';
import type { Db } from 'mongodb';
import type { StatusListeners } from '../presence/status-listeners.ts';
import type { SearchIndex } from '../search/search-store.ts';
import type { FollowerDeps } from './follower-deps.ts';
import { onCallerContextSaved } from './on-caller-context-saved.ts';
import { onCredentialCreated, onCredentialRevoked } from './on-credential-revoked.ts';
import { onEmployeeChanged } from './on-employee-changed.ts';
import { onEmployeeDeleted } from './on-employee-deleted.ts';
import { onEmployeeStatus } from './on-employee-status.ts';

/** Keeps the copies of directory's employees and caller contexts, ends softphone sessions with their credentials, and notifies this service's own calls of status changes. */
export async function startFollowers(
  runtime: ServiceRuntime,
  deps: FollowerDeps & { readonly statusListeners: StatusListeners; readonly search: SearchIndex },
  transport: { broker: Broker; db: Db },
): Promise<void> {
  await openFollower(runtime, {
    name: 'call-control-employees',
    ...transport,
    handlers: {
      'directory.employee.created': onEmployeeChanged(deps),
      'directory.employee.updated': onEmployeeChanged(deps),
      'directory.employee.deleted': onEmployeeDeleted(deps),
    },
  });
  await openFollower(runtime, {
    name: 'call-control-credentials',
    ...transport,
    handlers: {
      'identity.credential.revoked': onCredentialRevoked(deps),
      'identity.api_key.created': onCredentialCreated,
      'identity.grant.created': onCredentialCreated,
      'identity.employee.signed_in': onCredentialCreated,
    },
  });
  await openFollower(runtime, {
    name: 'call-control-caller-contexts',
    ...transport,
    handlers: { 'directory.caller_context.saved': onCallerContextSaved(deps.search) },
  });
  await openFollower(runtime, {
    name: 'call-control-employee-status',
    ...transport,
    handlers: {
      'call-control.employee_status.changed': onEmployeeStatus(deps.statusListeners),
      'call-control.employee_status.ended': onEmployeeStatus(deps.statusListeners),
    },
  });
}
