import type { Clock } from '@parley/clock';
import type { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { RpcClient } from '@parley/rpc';
import type { Companies } from '../companies/company-store.ts';
import type { EmployeeCap } from './employee-cap.ts';
import type { Employees } from './employee-store.ts';
import type { Ownership } from './ownership.ts';

/** What the RPCs of employees work with. */
export interface EmployeeDeps {
  readonly employees: Employees;
  readonly companies: Companies;
  readonly routing: Pick<RpcClient<typeof RoutingService>, 'listNumbersTargeting'>;
  readonly clock: Clock;
  /** The machine's time, for leases between processes. */
  readonly machineClock: Clock;
  readonly cap: EmployeeCap;
  readonly ownership: Ownership;
}
