import { create } from '@bufbuild/protobuf';
import { notFound, Refused } from '@parley/errors';
import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { PasswordAdminService } from '@parley/proto/identity/v1/passwords_pb';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import {
  type Handler,
  type OperatorPrincipal,
  operators,
  type RpcClient,
  type RpcServer,
  type ServicePrincipal,
} from '@parley/rpc';
import type { Accounts } from '../accounts/account-store.ts';
import { accountIdOf, setPassword } from '../accounts/account.ts';
import { runAsEmployee } from '../audit/credential-audit.ts';
import { countPasswordAttempt } from '../authentication/attempt-limits.ts';
import { type AuthenticationDeps, startSession } from '../authentication/authentication.ts';
import { hashPassword, passwordProblem, verifyPassword } from './password.ts';

export interface PasswordDeps {
  readonly accounts: Accounts;
  readonly employees: RpcClient<typeof EmployeeLookupService>;
}

/** Reads the employee from directory: a new employee can sign in before the event of the creation arrives. */
const setPasswordRpc =
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

/** The requesting browser stays signed in with a new session; all other sessions end. */
export const changePasswordRpc =
  (deps: AuthenticationDeps): Handler<typeof SignInService.method.changePassword, ServicePrincipal> =>
  async ({ currentPassword, password, visitor = create(VisitorSchema) }) => {
    const { accounts, throttles, verifySession } = deps;
    const verified = await verifySession(visitor.session);
    if (verified?.stage !== 'signed_in') return { outcome: { case: 'refusal', value: { over: true } } };
    const { account } = verified;
    const problem = passwordProblem(password);
    if (problem) throw new Refused(problem);
    const result = await countPasswordAttempt(throttles, account.employeeId);
    if (!result.allowed) {
      return { outcome: { case: 'refusal', value: { throttled: true, retryAfterSecs: result.retryAfterSecs } } };
    }
    if (!account.passwordHash || !(await verifyPassword(account.passwordHash, currentPassword)))
      return { outcome: { case: 'refusal', value: {} } };
    await result.succeeded();
    const passwordHash = await hashPassword(password);
    const changed = await runAsEmployee(account, verified.session.id, () =>
      accounts.of(account.companyId).change(account.id, (current) => setPassword(current, passwordHash)),
    );
    return { outcome: { case: 'opened', value: await startSession(deps, changed, 'signed_in', visitor) } };
  };

/** Every RPC of the contract and its handler. */
export function addPasswordAdminService(server: RpcServer, deps: PasswordDeps): void {
  server.add(PasswordAdminService, operators, { setPassword: setPasswordRpc(deps) });
}
