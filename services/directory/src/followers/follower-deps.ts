import type { Clock } from '@parley/clock';
import type { Employees } from '../employees/employee-store.ts';

/** What following other services works with. */
export interface FollowerDeps {
  readonly employees: Employees;
  readonly clock: Clock;
}
