import type { EventHandler } from '@parley/events';
import { recordSignIn } from '../employees/employee.ts';
import { ignoreUnknown } from './on-presence-changed.ts';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeSignedIn =
  ({ employees, clock }: FollowerDeps): EventHandler<'identity.employee.signed_in'> =>
  async ({ employeeId }, { companyId }) => {
    await employees
      .of(companyId)
      .change(employeeId, (current) => recordSignIn(current, clock.now()))
      .catch(ignoreUnknown);
  };
