import type { Clock } from '@parley/clock';
import { PresenceService } from '@parley/proto/call_control/v1/presence_pb';
import type { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import { type RpcClient, type RpcServer, services } from '@parley/rpc';
import type { Presences } from './presence-store.ts';
import { endSessionRpc } from './rpc-end-session.ts';
import { listPresencesRpc } from './rpc-list-presences.ts';
import { renewSessionsRpc } from './rpc-renew-sessions.ts';
import { startSessionRpc } from './rpc-start-session.ts';

/** What the RPCs of presence work with. */
export interface PresenceDeps {
  readonly presences: Presences;
  readonly directory: Pick<RpcClient<typeof EmployeeDirectoryService>, 'recordSignIn'>;
  readonly machineClock: Clock;
}

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
