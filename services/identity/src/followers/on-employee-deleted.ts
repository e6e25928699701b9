import type { EventHandler } from '@parley/events';
import { endEmployee } from '../credentials/end-employee.ts';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeDeleted =
  (deps: FollowerDeps): EventHandler<'directory.employee.deleted'> =>
  async ({ employee }) => {
    if (employee) await endEmployee(deps, employee);
  };
