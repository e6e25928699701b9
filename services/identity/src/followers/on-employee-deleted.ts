import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeDeletedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import { accountIdOf, closeAccount } from '../accounts/account.ts';
import type { FollowerDeps } from './followers.ts';

/** The mark on the account comes first: whoever creates a credential meanwhile looks for it afterwards. */
export const onEmployeeDeleted =
  ({ accounts, apiKeys, sessions, grants, devices, invitationMails, clock }: FollowerDeps): EventHandler =>
  async (event) => {
    const { employee } = fromBinary(EmployeeDeletedSchema, event.data);
    if (!employee) return;
    const gone = { companyId: employee.companyId, employeeId: employee.id };
    await accounts.ensure(employee);
    await accounts
      .of(gone.companyId)
      .change(accountIdOf(gone.employeeId), (current) => closeAccount(current, clock.now()));
    await apiKeys.revokeAll(gone);
    await grants.endAll(gone);
    await sessions.endAll(gone);
    await devices.removeAll(gone.employeeId);
    await invitationMails.remove(gone.employeeId);
  };
