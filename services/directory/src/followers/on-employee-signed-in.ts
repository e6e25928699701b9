import type { Clock } from '@parley/clock';
import type { EventHandler } from '@parley/events';
import { recordSignIn } from '../employees/employee.ts';
import type { Employees } from '../employees/employee-store.ts';

/** The employee may have been deleted meanwhile. */
export const onEmployeeSignedIn =
  ({ employees, clock }: { employees: Employees; clock: Clock }): EventHandler<'identity.employee.signed_in'> =>
  async ({ employeeId }, { companyId }) => {
    await employees.of(companyId).changeIfExists(employeeId, (current) => recordSignIn(current, clock.now()));
  };
