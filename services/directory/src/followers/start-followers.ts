import type { FollowerDeps } from './follower-deps.ts';
import type { Broker } from '@parley/events';
import { type ServiceRuntime, openFollower } from '@parley/service';
import type { Db } from 'mongodb';
import { onEmployeeSignedIn } from './on-employee-signed-in.ts';

export function startFollowers(
  runtime: ServiceRuntime,
  deps: FollowerDeps,
  transport: { broker: Broker; db: Db },
): Promise<void> {
  return openFollower(runtime, {
    name: 'directory-employees',
    ...transport,
    handlers: {
      'identity.employee.signed_in': onEmployeeSignedIn(deps),
    },
  });
}
