import { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { type RpcServer, services } from '@parley/rpc';
import { acceptInvitationRpc } from '../invitations/rpc-accept-invitation.ts';
import { getInvitationRpc } from '../invitations/rpc-get-invitation.ts';
import type { PasswordResetDeps } from '../password-resets/password-reset-deps.ts';
import { getPasswordResetRpc } from '../password-resets/rpc-get-password-reset.ts';
import { requestPasswordResetRpc } from '../password-resets/rpc-request-password-reset.ts';
import { resetPasswordRpc } from '../password-resets/rpc-reset-password.ts';
import { changePasswordRpc } from '../passwords/rpc-change-password.ts';
import { beginTwoFactorRpc } from '../two-factor/rpc-begin-two-factor.ts';
import { confirmTwoFactorRpc } from '../two-factor/rpc-confirm-two-factor.ts';
import { disableTwoFactorRpc } from '../two-factor/rpc-disable-two-factor.ts';
import { getTwoFactorRpc } from '../two-factor/rpc-get-two-factor.ts';
import { enterOneTimeCodeRpc } from './rpc-enter-one-time-code.ts';
import { signInRpc } from './rpc-sign-in.ts';
import { signOutRpc } from './rpc-sign-out.ts';

/** Every RPC of the contract and the file of its handler. */
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
