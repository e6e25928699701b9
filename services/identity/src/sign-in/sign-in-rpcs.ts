import { create } from '@bufbuild/protobuf';
import { SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import { type Handler, type RpcServer, type ServicePrincipal, services } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { runAsEmployee } from '../audit/credential-audit.ts';
import { attemptBy, type AuthenticationDeps, stageFor, startSession } from '../authentication/authentication.ts';
import { countAttempt, countCodeAttempt } from '../authentication/attempt-limits.ts';
import { acceptInvitationRpc, getInvitationRpc } from '../invitations/invitation-rpcs.ts';
import {
  getPasswordResetRpc,
  type PasswordResetDeps,
  requestPasswordResetRpc,
  resetPasswordRpc,
} from '../password-resets/password-reset-rpcs.ts';
import { hashPassword, verifyPassword } from '../passwords/password.ts';
import { changePasswordRpc } from '../passwords/password-rpcs.ts';
import {
  beginTwoFactorRpc,
  confirmTwoFactorRpc,
  disableTwoFactorRpc,
  getTwoFactorRpc,
} from '../two-factor/two-factor-rpcs.ts';
import { verifyCode } from '../two-factor/verify-code.ts';
import { isOpen } from '../accounts/account.ts';

/**
 * An unknown address and a deactivated employee take as long as a wrong password, and the responses are the same: none of them reveals
 * which addresses exist.
 */
const signInRpc = (deps: AuthenticationDeps): Handler<typeof SignInService.method.signIn, ServicePrincipal> => {
  const { throttles, companyRules } = deps;
  const nobodysHash = hashPassword('nobody has this password');

  return async ({ email, password, visitor = create(VisitorSchema) }) => {
    const { account, attempt } = await attemptBy(deps, email, visitor);
    const result = await countAttempt(throttles, attempt);
    if (!result.allowed) {
      return { outcome: { case: 'refusal', value: { throttled: true, retryAfterSecs: result.retryAfterSecs } } };
    }
    const isRight = await verifyPassword(account?.passwordHash ?? (await nobodysHash), password);
    if (!account?.passwordHash || !isRight || !isOpen(account)) {
      const isOwnPassword = isRight && account?.passwordHash;
      if (account) deps.recordFailedSignIn(account, isOwnPassword ? 'employee_inactive' : 'password');
      return { outcome: { case: 'refusal', value: {} } };
    }
    await result.succeeded();
    return {
      outcome: {
        case: 'opened',
        value: await startSession(deps, account, await stageFor(companyRules, account), visitor),
      },
    };
  };
};

const enterOneTimeCodeRpc =
  (deps: AuthenticationDeps): Handler<typeof SignInService.method.enterOneTimeCode, ServicePrincipal> =>
  async ({ code, visitor = create(VisitorSchema) }) => {
    const verified = await deps.verifySession(visitor.session);
    if (verified?.stage !== 'one_time_code') return { outcome: { case: 'refusal', value: { over: true } } };
    const { account } = verified;
    const isKnown = await deps.devices.isKnown(visitor.device, account.employeeId, deps.clock.now());
    const device = isKnown ? digest(visitor.device) : undefined;
    const result = await countCodeAttempt(deps.throttles, account.employeeId, device);
    if (!result.allowed) {
      return { outcome: { case: 'refusal', value: { throttled: true, retryAfterSecs: result.retryAfterSecs } } };
    }
    if (!(await verifyCode(deps, account, code))) {
      deps.recordFailedSignIn(account, 'one_time_code');
      return { outcome: { case: 'refusal', value: {} } };
    }
    await result.succeeded();
    return { outcome: { case: 'opened', value: await startSession(deps, account, 'signed_in', visitor, true) } };
  };

const signOutRpc =
  ({ accounts, sessions }: AuthenticationDeps): Handler<typeof SignInService.method.signOut, ServicePrincipal> =>
  async (request) => {
    const session = await sessions.bySecret(request.session);
    if (!session) return {};
    const name = (await accounts.byEmployee(session.employeeId))?.name ?? '';
    await runAsEmployee({ employeeId: session.employeeId, name }, session.id, () =>
      sessions.end(session, 'signed_out'),
    );
    return {};
  };

/** Every RPC of the contract and its handler. */
export function addSignInService(server: RpcServer, deps: PasswordResetDeps): void {
  server.add(SignInService, services('gateway'), {
    signIn: signInRpc(deps),
    enterOneTimeCode: enterOneTimeCodeRpc(deps),
    signOut: signOutRpc(deps),
    getInvitation: getInvitationRpc(deps),
    acceptInvitation: acceptInvitationRpc(deps),
    requestPasswordReset: requestPasswordResetRpc(deps),
    getPasswordReset: getPasswordResetRpc(deps),
    resetPassword: resetPasswordRpc(deps),
    changePassword: changePasswordRpc(deps),
    beginTwoFactor: beginTwoFactorRpc(deps),
    confirmTwoFactor: confirmTwoFactorRpc(deps),
    disableTwoFactor: disableTwoFactorRpc(deps),
    getTwoFactor: getTwoFactorRpc(deps),
  });
}
