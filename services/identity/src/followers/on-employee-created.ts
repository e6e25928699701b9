import type { EventHandler } from '@parley/events';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeCreated =
  ({ accounts, invitationMails, invited, clock }: FollowerDeps): EventHandler<'directory.employee.created'> =>
  async ({ employee }) => {
    if (!employee) return;
    const account = await accounts.ensure(employee);
    if (!employee.invitationPending || account.deletedAt) return;
    await invitationMails.plan(employee, clock.now());
    invited();
  };
