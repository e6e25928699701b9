import { create } from '@bufbuild/protobuf';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { countResetRequest } from '../authentication/attempt-limits.ts';
import { attemptBy } from '../authentication/attempt-by.ts';
import type { PasswordResetDeps } from './password-reset-deps.ts';

/** Addresses are not longer (RFC 5321 section 4.5.3.1: 64 before the @ and 255 behind it). */
const EMAIL_LENGTH_MAX = 320;

/** Does the same for existing and unknown addresses: neither response nor timing reveals which exist. */
export const requestPasswordResetRpc =
  (deps: PasswordResetDeps): Handler<typeof SignInService.method.requestPasswordReset, ServicePrincipal> =>
  async ({ email, visitor = create(VisitorSchema) }) => {
    const { throttles, resetRequests, mailPlanned, clock } = deps;
    if (email.length > EMAIL_LENGTH_MAX) return {};
    const { attempt } = await attemptBy(deps, email, visitor);
    const result = await countResetRequest(throttles, attempt);
    if (!result.allowed) return { refusal: { throttled: true, retryAfterSecs: result.retryAfterSecs } };
    await resetRequests.plan(attempt.emailKey, clock.now());
    mailPlanned();
    return {};
  };
