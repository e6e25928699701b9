import type { Clock } from '@parley/clock';
import type { Employees } from '../employees/employee-store.ts';
import type { Companies } from './company-store.ts';

/** What the RPCs of companies work with. */
export interface CompanyDeps {
  readonly companies: Companies;
  readonly employees: Employees;
  readonly clock: Clock;
}
