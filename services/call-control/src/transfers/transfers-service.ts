import { TransferService } from '@parley/proto/call_control/v1/transfers_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { cancelTransferRpc } from './rpc-cancel-transfer.ts';
import { completeTransferRpc } from './rpc-complete-transfer.ts';
import { startTransferRpc } from './rpc-start-transfer.ts';
import type { TransferDeps } from './transfer-deps.ts';

/** Every RPC of the contract and the file of its handler. */
export function addTransferService(server: RpcServer, deps: TransferDeps): void {
  server.add(TransferService, employees.withRole('member'), {
    startTransfer: startTransferRpc(deps),
    completeTransfer: completeTransferRpc(deps),
    cancelTransfer: cancelTransferRpc(deps),
  });
}
