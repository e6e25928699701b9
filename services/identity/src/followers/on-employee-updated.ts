import type { EventHandler } from '@parley/events';
import type { FollowerDeps } from './follower-deps.ts';

/** An employee who gets another address before the first sign-in gets another invitation, too; later, an e-mail to the old one. */
export const onEmployeeUpdated =
  ({ accounts, invitationMails, invited, clock }: FollowerDeps): EventHandler<'directory.employee.updated'> =>
  async ({ employee }) => {
    if (!employee) return;
    const account = await accounts.ensure(employee);
    if (account.due) invited();
    const isWaiting = employee.invitationPending && !account.invitation && !account.passwordHash;
    if (!isWaiting || account.deletedAt) return;
    await invitationMails.planAgain(employee, clock.now());
    invited();
  };
