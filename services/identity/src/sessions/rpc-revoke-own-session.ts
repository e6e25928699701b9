import { notFound, Refused } from '@parley/errors';
import type { SessionService } from '@parley/proto/identity/v1/sign_in_pb';
import type { EmployeeCaller, Handler } from '@parley/rpc';
import type { SignInDeps } from '../sign-in/sign-in-deps.ts';

export const revokeOwnSessionRpc =
  ({ sessions }: SignInDeps): Handler<typeof SessionService.method.revokeOwnSession, EmployeeCaller> =>
  async ({ id }, { caller: { companyId, employeeId } }) => {
    const session = await sessions.of(companyId).get(id);
    if (session?.employeeId !== employeeId) throw new Refused(notFound);
    await sessions.end(session);
    return {};
  };
