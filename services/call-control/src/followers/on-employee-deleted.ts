import { decided } from '@parley/errors';
import type { EventHandler } from '@parley/events';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeDeleted =
  ({ presences, softphoneSessions }: FollowerDeps): EventHandler<'directory.employee.deleted'> =>
  async ({ employee }) => {
    if (!employee) return;
    await softphoneSessions.of(employee.companyId).changeIfExists(employee.id, () => decided(null));
    await presences.of(employee.companyId).remove(employee.id);
  };
