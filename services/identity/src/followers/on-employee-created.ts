import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeCreatedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import type { FollowerDeps } from './follower-deps.ts';

export const onEmployeeCreated =
  ({ accounts, invitationMails, invited, clock }: FollowerDeps): EventHandler =>
  async (event) => {
    const { employee } = fromBinary(EmployeeCreatedSchema, event.data);
    if (!employee) return;
    const account = await accounts.ensure(employee);
    if (!employee.invitationPending || account.deletedAt) return;
    await invitationMails.plan(employee, clock.now());
    invited();
  };
