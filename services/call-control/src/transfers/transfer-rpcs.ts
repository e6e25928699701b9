import { notFound, Refused } from '@parley/errors';
import { TransferService } from '@parley/proto/call_control/v1/transfers_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { CallInput } from '../calls/model/call-input.ts';
import type { CallKey } from '../calls/store/call-runner.ts';
import { startTransfer, type TransferDeps } from './start-transfer.ts';
import { transferToProto } from './transfer-proto.ts';

/** Every RPC of the contract. */
export function addTransferService(server: RpcServer, deps: TransferDeps): void {
  async function changed(key: CallKey, input: Extract<CallInput, { type: 'complete_transfer' | 'cancel_transfer' }>) {
    const call = await deps.runner.apply(key, input);
    const transfer = call?.transfers.find(({ id }) => id === input.transferId);
    if (!transfer) throw new Refused(notFound);
    return { transfer: transferToProto(transfer) };
  }
  server.add(TransferService, employees.withRole('member'), {
    startTransfer: startTransfer(deps),
    completeTransfer: ({ callId, transferId }, { principal: { companyId, employeeId: actorId } }) =>
      changed({ companyId, id: callId }, { type: 'complete_transfer', transferId, actorId }),
    cancelTransfer: ({ callId, transferId }, { principal: { companyId, employeeId: actorId } }) =>
      changed({ companyId, id: callId }, { type: 'cancel_transfer', transferId, actorId }),
  });
}
