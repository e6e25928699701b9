import { CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { CallDeps } from './call-deps.ts';
import { getActiveCallRpc } from './rpc-get-active-call.ts';
import { getCallRpc } from './rpc-get-call.ts';
import { getCallTimelineRpc } from './rpc-get-call-timeline.ts';
import { listCallsRpc } from './rpc-list-calls.ts';

/** Every RPC of the contract and the file of its handler. */
export function addCallService(server: RpcServer, deps: CallDeps): void {
  server.add(CallService, employees.withRole('member'), {
    listCalls: listCallsRpc(deps),
    getCall: getCallRpc(deps),
    getActiveCall: getActiveCallRpc(deps),
    getCallTimeline: getCallTimelineRpc(deps),
  });
}
