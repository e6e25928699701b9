import { create } from '@bufbuild/protobuf';
import { Refused } from '@parley/errors';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { setPassword } from '../accounts/account.ts';
import { countPasswordAttempt } from '../authentication/attempt-limits.ts';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';
import { startSession } from '../authentication/start-session.ts';
import { hashPassword, passwordProblem, verifyPassword } from './password.ts';

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
    const changed = await accounts
      .of(account.companyId)
      .change(account.id, (current) => setPassword(current, passwordHash));
    return { outcome: { case: 'opened', value: await startSession(deps, changed, 'signed_in', visitor) } };
  };
