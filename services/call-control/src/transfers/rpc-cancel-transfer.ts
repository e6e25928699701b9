import type { TransferService } from '@parley/proto/call_control/v1/transfers_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { changedTransfer } from './changed-transfer.ts';
import type { TransferDeps } from './transfer-deps.ts';

export const cancelTransferRpc =
  ({ runner }: TransferDeps): Handler<typeof TransferService.method.cancelTransfer, EmployeePrincipal> =>
  async ({ callId, transferId }, { principal: { companyId, employeeId: actorId } }) =>
    changedTransfer(runner, { companyId, id: callId }, { type: 'cancel_transfer', transferId, actorId });
