import { EmployeePresenceService, PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import type { PresenceDeps } from './presence-deps.ts';
import { endSessionRpc } from './rpc-end-session.ts';
import { getDoNotDisturbRpc } from './rpc-get-do-not-disturb.ts';
import { listPresencesRpc } from './rpc-list-presences.ts';
import { renewSessionsRpc } from './rpc-renew-sessions.ts';
import { setDoNotDisturbRpc } from './rpc-set-do-not-disturb.ts';
import { startSessionRpc } from './rpc-start-session.ts';

/** Every RPC of the contracts and the file that answers it. */
export function addPresenceServices(server: RpcServer, deps: PresenceDeps): void {
  server.add(EmployeePresenceService, employees, {
    listPresences: listPresencesRpc(deps),
    getDoNotDisturb: getDoNotDisturbRpc(deps),
    setDoNotDisturb: setDoNotDisturbRpc(deps),
  });
  server.add(PresenceService, services('sandbox'), {
    startSession: startSessionRpc(deps),
    renewSessions: renewSessionsRpc(deps),
    endSession: endSessionRpc(deps),
  });
}
