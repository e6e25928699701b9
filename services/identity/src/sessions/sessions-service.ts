import { SessionService } from '@parley/proto/identity/v1/sign_in_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { listOwnSessionsRpc } from './rpc-list-own-sessions.ts';
import { revokeOwnSessionRpc } from './rpc-revoke-own-session.ts';
import type { SessionDeps } from './session-deps.ts';

/** Every RPC of the contract and the file of its handler. */
export function addSessionService(server: RpcServer, deps: SessionDeps): void {
  server.add(SessionService, employees.withRole('member'), {
    listOwnSessions: listOwnSessionsRpc(deps),
    revokeOwnSession: revokeOwnSessionRpc(deps),
  });
}
