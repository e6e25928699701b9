import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeUpdatedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import type { FollowerDeps } from './follower-deps.ts';

/** Whoever gets another address before they have ever been here gets another invitation, too. */
export const onEmployeeUpdated =
  ({ accounts, invitationMails, invited, clock }: FollowerDeps): EventHandler =>
  async (event) => {
    const { employee } = fromBinary(EmployeeUpdatedSchema, event.data);
    if (!employee) return;
    const account = await accounts.ensure(employee);
    const isWaiting = employee.invitationPending && !account.invitation && !account.passwordHash;
    if (!isWaiting || account.deletedAt) return;
    await invitationMails.planAgain(employee, clock.now());
    invited();
  };
