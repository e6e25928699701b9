import type { EventHandler } from '@parley/events';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeDeleted =
  ({ presences }: FollowerDeps): EventHandler<'directory.employee.deleted'> =>
  async ({ employee }) => {
    if (employee) await presences.remove(employee.id);
  };
