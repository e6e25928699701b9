import type { SubscriptionDeps } from './subscription-deps.ts';
import { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { createSubscriptionRpc } from './rpc-create-subscription.ts';
import { deleteSubscriptionRpc } from './rpc-delete-subscription.ts';
import { getSubscriptionRpc } from './rpc-get-subscription.ts';
import { listSubscriptionsRpc } from './rpc-list-subscriptions.ts';
import { rotateSubscriptionSecretRpc } from './rpc-rotate-subscription-secret.ts';
import { updateSubscriptionRpc } from './rpc-update-subscription.ts';

/** Every RPC of the contract and the file of its handler. */
export function addSubscriptionService(server: RpcServer, deps: SubscriptionDeps): void {
  server.add(SubscriptionService, employees.withRole('admin'), {
    createSubscription: createSubscriptionRpc(deps),
    getSubscription: getSubscriptionRpc(deps),
    listSubscriptions: listSubscriptionsRpc(deps),
    updateSubscription: updateSubscriptionRpc(deps),
    rotateSubscriptionSecret: rotateSubscriptionSecretRpc(deps),
    deleteSubscription: deleteSubscriptionRpc(deps),
  });
}
