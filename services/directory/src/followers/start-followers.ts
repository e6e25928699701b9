import type { Activity, Clock } from '@parley/clock';
import { type Broker, type Follower, startFollower } from '@parley/events';
import type { Telemetry } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { Employees } from '../employees/employee-store.ts';
import { onEmployeeSignedIn } from './on-employee-signed-in.ts';
import { onPresenceChanged } from './on-presence-changed.ts';

/** What following other services works with. */
export interface FollowerDeps {
  readonly employees: Employees;
  readonly clock: Clock;
}

export function startFollowers(
  deps: FollowerDeps,
  transport: { broker: Broker; db: Db; activity: Activity; telemetry: Telemetry },
): Promise<Follower> {
  return startFollower({
    name: 'directory-employees',
    ...transport,
    handlers: {
      'call-control.presence.changed': onPresenceChanged(deps),
      'identity.employee.signed_in': onEmployeeSignedIn(deps),
    },
  });
}
