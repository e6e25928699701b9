import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SessionService } from '@parley/proto/identity/v1/sign_in_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { SessionDeps } from './session-deps.ts';
import { isLive } from './session.ts';

const SHOWN_MAX = 200;

export const listOwnSessionsRpc =
  ({
    sessions,
    accounts,
    clock,
  }: SessionDeps): Handler<typeof SessionService.method.listOwnSessions, EmployeePrincipal> =>
  async (_request, { principal: { companyId, employeeId, credentialId } }) => {
    const account = await accounts.byEmployee(employeeId);
    const shown = [];
    const own = { employeeId, stage: 'signed_in' as const };
    for await (const session of sessions.of(companyId).find(own, { createdAt: -1 }, SHOWN_MAX)) {
      if (!account || !isLive(session, account, clock.now())) continue;
      const { id, userAgent, address, createdAt } = session;
      shown.push({ id, userAgent, address, signedInAt: timestampFromDate(createdAt), current: id === credentialId });
    }
    return { sessions: shown };
  };
