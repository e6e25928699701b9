import { create } from '@bufbuild/protobuf';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { spendCode } from '../two-factor/spend-code.ts';
import { countCodeAttempt } from '../authentication/attempt-limits.ts';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';
import { startSession } from '../authentication/start-session.ts';

export const enterOneTimeCodeRpc =
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
    if (!(await spendCode(deps, account, code))) return { outcome: { case: 'refusal', value: {} } };
    await result.succeeded();
    return { outcome: { case: 'opened', value: await startSession(deps, account, 'signed_in', visitor, true) } };
  };
