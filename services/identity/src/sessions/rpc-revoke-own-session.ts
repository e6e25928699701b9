import { notFound, Refused } from '@parley/errors';
import type { SessionService } from '@parley/proto/identity/v1/sign_in_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { SessionDeps } from './session-deps.ts';

export const revokeOwnSessionRpc =
  ({ sessions }: SessionDeps): Handler<typeof SessionService.method.revokeOwnSession, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId, employeeId } }) => {
    const session = await sessions.of(companyId).get(id);
    if (session?.employeeId !== employeeId) throw new Refused(notFound);
    await sessions.end(session);
    return {};
  };
