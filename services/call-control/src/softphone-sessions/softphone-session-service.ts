import { SoftphoneSessionService } from '@parley/proto/call_control/v1/softphone_sessions_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { createSoftphoneSessionRpc } from './rpc-create-softphone-session.ts';
import { deleteSoftphoneSessionRpc } from './rpc-delete-softphone-session.ts';
import type { SoftphoneSessionDeps } from './softphone-session-deps.ts';

/** Every RPC of the contract and the file of its handler. */
export function addSoftphoneSessionService(server: RpcServer, deps: SoftphoneSessionDeps): void {
  server.add(SoftphoneSessionService, employees.withRole('member'), {
    createSoftphoneSession: createSoftphoneSessionRpc(deps),
    deleteSoftphoneSession: deleteSoftphoneSessionRpc(deps),
  });
}
