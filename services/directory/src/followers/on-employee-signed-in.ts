import type { EventHandler } from '@parley/events';
import { recordSignIn } from '../employees/employee.ts';
import type { FollowerDeps } from './follower-deps.ts';

/** The employee may have been deleted meanwhile. */
export const onEmployeeSignedIn =
  ({ employees, clock }: FollowerDeps): EventHandler<'identity.employee.signed_in'> =>
  async ({ employeeId }, { companyId }) => {
    await employees.of(companyId).changeIfExists(employeeId, (current) => recordSignIn(current, clock.now()));
  };
