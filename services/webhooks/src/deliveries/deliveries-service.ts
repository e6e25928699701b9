import type { Clock } from '@parley/clock';
import { DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { Cursors } from '@parley/store';
import type { Engine } from '../sending/engine.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import type { Deliveries } from './delivery-store.ts';
import { listDeliveriesRpc } from './rpc-list-deliveries.ts';
import { retryDeliveryRpc } from './rpc-retry-delivery.ts';
import { sendTestEventRpc } from './rpc-send-test-event.ts';

/** What the RPCs of deliveries work with. */
export interface DeliveryDeps {
  readonly deliveries: Deliveries;
  readonly subscriptions: Subscriptions;
  readonly engine: Engine;
  readonly cursors: Cursors;
  readonly clock: Clock;
}

/** Every RPC of the contract and the file that answers it. */
export function addDeliveryService(server: RpcServer, deps: DeliveryDeps): void {
  server.add(DeliveryService, employees, {
    listDeliveries: listDeliveriesRpc(deps),
    retryDelivery: retryDeliveryRpc(deps),
    sendTestEvent: sendTestEventRpc(deps),
  });
}
