import { create } from '@bufbuild/protobuf';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServiceCaller } from '@parley/rpc';
import type { Account } from '../accounts/account.ts';
import { hashPassword, verifyPassword } from '../passwords/password.ts';
import type { Stage } from '../sessions/session.ts';
import { attemptBy } from './attempt-by.ts';
import { admitAttempt } from './attempt-limits.ts';
import type { SignInDeps } from './sign-in-deps.ts';
import { startSession } from './start-session.ts';

/** An unknown address takes as long as a wrong password, and the answers are the same: neither says who works here. */
export const signInRpc = (deps: SignInDeps): Handler<typeof SignInService.method.signIn, ServiceCaller> => {
  const { throttles, companyRules } = deps;
  const nobodysHash = hashPassword('nobody has this password');

  async function stageFor(account: Account): Promise<Stage> {
    if (account.twoFactor) return 'one_time_code';
    return (await companyRules.requiresTwoFactor(account.companyId)) ? 'enrolment' : 'signed_in';
  }

  return async ({ email, password, visitor = create(VisitorSchema) }) => {
    const { account, attempt } = await attemptBy(deps, email, visitor);
    const admission = await admitAttempt(throttles, attempt);
    if (!admission.admitted) {
      return { outcome: { case: 'refusal', value: { throttled: true, retryAfterSecs: admission.retryAfterSecs } } };
    }
    const isRight = await verifyPassword(account?.passwordHash ?? (await nobodysHash), password);
    if (!account?.passwordHash || !isRight) return { outcome: { case: 'refusal', value: {} } };
    await admission.succeeded();
    return { outcome: { case: 'opened', value: await startSession(deps, account, await stageFor(account), visitor) } };
  };
};
