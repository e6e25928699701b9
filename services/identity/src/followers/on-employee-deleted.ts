import { fromBinary } from '@bufbuild/protobuf';
import type { EventHandler } from '@parley/events';
import { EmployeeDeletedSchema } from '@parley/proto/directory/v1/employee_events_pb';
import { accountIdOf, closeAccount } from '../accounts/account.ts';
import type { FollowerDeps } from './followers.ts';

/** The mark on the account comes first: whoever creates a credential meanwhile looks for it afterwards. */
export const onEmployeeDeleted =
  ({ accounts, apiKeys, clock }: FollowerDeps): EventHandler =>
  async (event) => {
    const { employee } = fromBinary(EmployeeDeletedSchema, event.data);
    if (!employee) return;
    const { companyId, id: employeeId } = employee;
    await accounts.ensure(employee);
    await accounts.of(companyId).change(accountIdOf(employeeId), (current) => closeAccount(current, clock.now()));
    await apiKeys.revokeAll({ companyId, employeeId });
  };
