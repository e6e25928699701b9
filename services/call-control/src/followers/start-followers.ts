import type { Broker } from '@parley/events';
import { type Basis, openFollower } from '@parley/service';
import type { Db } from 'mongodb';
import type { Presences } from '../presence/presence-store.ts';
import { onEmployeeChanged } from './on-employee-changed.ts';
import { onEmployeeDeleted } from './on-employee-deleted.ts';

/** What following directory works with. */
export interface FollowerDeps {
  readonly presences: Presences;
}

/** Follows everything that happens to employees: a gap in an aggregate's events would hold the next one up. */
export function startFollowers(basis: Basis, deps: FollowerDeps, transport: { broker: Broker; db: Db }): Promise<void> {
  return openFollower(basis, {
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
