import type { Clock } from '@parley/clock';
import type { Broker } from '@parley/events';
import { type Basis, openFollower } from '@parley/service';
import type { Db } from 'mongodb';
import type { Employees } from '../employees/employee-store.ts';
import { onEmployeeSignedIn } from './on-employee-signed-in.ts';
import { onPresenceChanged } from './on-presence-changed.ts';

/** What following other services works with. */
export interface FollowerDeps {
  readonly employees: Employees;
  readonly clock: Clock;
}

export function startFollowers(basis: Basis, deps: FollowerDeps, transport: { broker: Broker; db: Db }): Promise<void> {
  return openFollower(basis, {
    name: 'directory-employees',
    ...transport,
    handlers: {
      'call-control.presence.changed': onPresenceChanged(deps),
      'identity.employee.signed_in': onEmployeeSignedIn(deps),
    },
  });
}
