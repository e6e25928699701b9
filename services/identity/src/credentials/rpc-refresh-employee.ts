import type { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { refreshAccount } from '../accounts/current-account.ts';
import type { CredentialDeps } from './credential-deps.ts';

export const refreshEmployeeRpc =
  ({
    accounts,
    employees,
  }: CredentialDeps): Handler<typeof CredentialService.method.refreshEmployee, ServicePrincipal> =>
  async ({ employeeId }) => {
    await refreshAccount(accounts, employees, employeeId);
    return {};
  };
