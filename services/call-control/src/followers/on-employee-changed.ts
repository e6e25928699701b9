import type { EventHandler } from '@parley/events';
import { hearFacts } from '../presence/presence.ts';
import type { FollowerDeps } from './follower-deps.ts';

type EmployeeChange = 'directory.employee.created' | 'directory.employee.updated' | 'directory.employee.status_changed';

/** Every event of an employee but the last carries the same snapshot. */
export const onEmployeeChanged =
  ({ presences }: FollowerDeps): EventHandler<EmployeeChange> =>
  async ({ employee }) => {
    if (!employee) return;
    const facts = {
      companyId: employee.companyId,
      doNotDisturb: employee.doNotDisturbActivatedAt !== undefined,
      invitationPending: employee.invitationPending,
    };
    await presences.change(employee.id, (current, now) => hearFacts(current, facts, now), facts);
  };
