import { create } from '@bufbuild/protobuf';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { hashPassword, verifyPassword } from '../passwords/password.ts';
import { attemptBy } from '../authentication/attempt-by.ts';
import { countAttempt } from '../authentication/attempt-limits.ts';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';
import { stageFor } from '../authentication/stage-for.ts';
import { startSession } from '../authentication/start-session.ts';

/** An unknown address takes as long as a wrong password, and the responses are the same: neither reveals which addresses exist. */
export const signInRpc = (deps: AuthenticationDeps): Handler<typeof SignInService.method.signIn, ServicePrincipal> => {
  const { throttles, companyRules } = deps;
  const nobodysHash = hashPassword('nobody has this password');

  return async ({ email, password, visitor = create(VisitorSchema) }) => {
    const { account, attempt } = await attemptBy(deps, email, visitor);
    const result = await countAttempt(throttles, attempt);
    if (!result.allowed) {
      return { outcome: { case: 'refusal', value: { throttled: true, retryAfterSecs: result.retryAfterSecs } } };
    }
    const isRight = await verifyPassword(account?.passwordHash ?? (await nobodysHash), password);
    if (!account?.passwordHash || !isRight) return { outcome: { case: 'refusal', value: {} } };
    await result.succeeded();
    return {
      outcome: {
        case: 'opened',
        value: await startSession(deps, account, await stageFor(companyRules, account), visitor),
      },
    };
  };
};
