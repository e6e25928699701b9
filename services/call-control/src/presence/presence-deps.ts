import type { Clock } from '@parley/clock';
import type { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { RpcClient } from '@parley/rpc';
import type { Presences } from './presence-store.ts';

/** What the RPCs of presence work with. */
export interface PresenceDeps {
  readonly presences: Presences;
  readonly directory: Pick<RpcClient<typeof EmployeeDirectoryService>, 'recordSignIn'>;
  readonly machineClock: Clock;
}
