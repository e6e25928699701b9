import type { Clock } from '@parley/clock';
import type { Companies } from '../companies/company-store.ts';
import type { Employees } from '../employees/employee-store.ts';

/** What the RPCs about a company together with its owner work with. */
export interface AccountDeps {
  readonly companies: Companies;
  readonly employees: Employees;
  readonly clock: Clock;
}
