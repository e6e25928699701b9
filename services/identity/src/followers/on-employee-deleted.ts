import { runAs } from '@parley/actor';
import type { EventHandler } from '@parley/events';
import { endEmployee } from '../credentials/end-employee.ts';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeDeleted =
  (deps: FollowerDeps): EventHandler<'directory.employee.deleted'> =>
  async ({ employee }, { actor }) => {
    if (!employee) return;
    // Whoever removes an employee ends their credentials.
    await (actor ? runAs(actor, () => endEmployee(deps, employee)) : endEmployee(deps, employee));
  };
