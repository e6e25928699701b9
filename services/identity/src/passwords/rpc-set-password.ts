import { notFound, Refused } from '@parley/errors';
import type { PasswordAdminService } from '@parley/proto/identity/v1/passwords_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import { accountIdOf, setPassword } from '../accounts/account.ts';
import { hashPassword, passwordProblem } from './password.ts';
import type { PasswordDeps } from './password-deps.ts';

/** Reads the employee from directory: a new employee can sign in before the event of the creation arrives. */
export const setPasswordRpc =
  ({ accounts, employees }: PasswordDeps): Handler<typeof PasswordAdminService.method.setPassword, OperatorPrincipal> =>
  async ({ employeeId, companyId, password }) => {
    const problem = passwordProblem(password);
    if (problem) throw new Refused(problem);
    const { employee } = await employees.getEmployee({ id: employeeId });
    if (employee?.companyId !== companyId) throw new Refused(notFound);
    const passwordHash = await hashPassword(password);
    await accounts.ensure(employee);
    await accounts.of(companyId).change(accountIdOf(employeeId), (current) => setPassword(current, passwordHash));
    return {};
  };
