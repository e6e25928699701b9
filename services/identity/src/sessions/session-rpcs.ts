import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { Refused, notFound } from '@parley/errors';
import { SessionService } from '@parley/proto/identity/v1/sign_in_pb';
import { type EmployeePrincipal, type Handler, type RpcServer, employees } from '@parley/rpc';
import type { Accounts } from '../accounts/account-store.ts';
import type { Sessions } from './session-store.ts';
import { isLive } from './session.ts';

export interface SessionDeps {
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

const SHOWN_MAX = 200;

const listOwnSessionsRpc =
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

const revokeOwnSessionRpc =
  ({ sessions }: SessionDeps): Handler<typeof SessionService.method.revokeOwnSession, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId, employeeId } }) => {
    const session = await sessions.of(companyId).get(id);
    if (session?.employeeId !== employeeId) throw new Refused(notFound);
    await sessions.end(session, 'signed_out');
    return {};
  };

/** Every RPC of the contract and its handler. */
export function addSessionService(server: RpcServer, deps: SessionDeps): void {
  server.add(SessionService, employees.withRole('member'), {
    listOwnSessions: listOwnSessionsRpc(deps),
    revokeOwnSession: revokeOwnSessionRpc(deps),
  });
}
