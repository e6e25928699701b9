import { create } from '@bufbuild/protobuf';
import { Refused } from '@parley/errors';
import { type SignInService, VisitorSchema } from '@parley/proto/identity/v1/sign_in_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { acceptInvitation, hasInvitation } from '../accounts/account.ts';
import { runAsEmployee } from '../audit/credential-audit.ts';
import { type AuthenticationDeps, stageFor, startSession } from '../authentication/authentication.ts';
import { hashPassword, passwordProblem } from '../passwords/password.ts';

export const getInvitationRpc =
  ({ accounts, clock }: AuthenticationDeps): Handler<typeof SignInService.method.getInvitation, ServicePrincipal> =>
  async ({ token }) => {
    const account = await accounts.byInvitation(digest(token));
    const valid = account !== undefined && hasInvitation(account, digest(token), clock.now());
    return valid ? { valid, email: account.email } : { valid };
  };

/**
 * Setting the password is the first sign-in too: the link in the e-mail is the proof of identity. Only where the
 * operator had set a password before there may be a second factor already, and then it is required.
 */
export const acceptInvitationRpc =
  (deps: AuthenticationDeps): Handler<typeof SignInService.method.acceptInvitation, ServicePrincipal> =>
  async ({ token, password, visitor = create(VisitorSchema) }) => {
    const { accounts, companyRules, clock } = deps;
    const sent = digest(token);
    const account = await accounts.byInvitation(sent);
    if (!account || !hasInvitation(account, sent, clock.now())) return {};
    const problem = passwordProblem(password);
    if (problem) throw new Refused(problem);
    const passwordHash = await hashPassword(password);
    try {
      const accepted = await runAsEmployee(account, undefined, () =>
        accounts
          .of(account.companyId)
          .change(account.id, (current) => acceptInvitation(current, sent, passwordHash, clock.now())),
      );
      return { opened: await startSession(deps, accepted, await stageFor(companyRules, accepted), visitor) };
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'not_found') return {};
      throw error;
    }
  };
