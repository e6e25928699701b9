import type { PresenceDeps } from './presence-deps.ts';
import { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import { type RpcServer, services } from '@parley/rpc';
import { endSessionRpc } from './rpc-end-session.ts';
import { listPresencesRpc } from './rpc-list-presences.ts';
import { renewSessionsRpc } from './rpc-renew-sessions.ts';
import { startSessionRpc } from './rpc-start-session.ts';

/** Every RPC of the contract and the file that answers it. */
export function addPresenceService(server: RpcServer, deps: PresenceDeps): void {
  const callers = services('gateway', 'directory', 'numbers-routing', 'messaging-inbox', 'sandbox');
  server.add(PresenceService, callers, {
    startSession: startSessionRpc(deps),
    renewSessions: renewSessionsRpc(deps),
    endSession: endSessionRpc(deps),
    listPresences: listPresencesRpc(deps),
  });
}
