import type { DeliveryDeps } from './delivery-deps.ts';
import { DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { listDeliveriesRpc } from './rpc-list-deliveries.ts';
import { retryDeliveryRpc } from './rpc-retry-delivery.ts';
import { sendTestEventRpc } from './rpc-send-test-event.ts';

/** Every RPC of the contract and the file of its handler. */
export function addDeliveryService(server: RpcServer, deps: DeliveryDeps): void {
  server.add(DeliveryService, employees.withRole('admin'), {
    listDeliveries: listDeliveriesRpc(deps),
    retryDelivery: retryDeliveryRpc(deps),
    sendTestEvent: sendTestEventRpc(deps),
  });
}
