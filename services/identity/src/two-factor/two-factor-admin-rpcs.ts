import { notFound, Refused } from '@parley/errors';
import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { TwoFactorAdminService } from '@parley/proto/identity/v1/two_factor_pb';
import { operators, type RpcClient, type RpcServer } from '@parley/rpc';
import type { Accounts } from '../accounts/account-store.ts';
import { accountIdOf } from '../accounts/account.ts';
import { resetTwoFactor } from './two-factor.ts';

export interface TwoFactorAdminDeps {
  readonly accounts: Accounts;
  readonly employees: Pick<RpcClient<typeof EmployeeLookupService>, 'getEmployee'>;
}

export function addTwoFactorAdminService(server: RpcServer, { accounts, employees }: TwoFactorAdminDeps): void {
  server.add(TwoFactorAdminService, operators, {
    /** Reads the employee from directory, like every request of the operator: the account may not exist yet. */
    async resetTwoFactor({ employeeId }) {
      const { employee } = await employees.getEmployee({ id: employeeId });
      if (!employee) throw new Refused(notFound);
      await accounts.ensure(employee);
      await accounts.of(employee.companyId).change(accountIdOf(employeeId), resetTwoFactor);
      return {};
    },
  });
}
