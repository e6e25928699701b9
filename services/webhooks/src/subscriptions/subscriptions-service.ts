import type { Clock } from '@parley/clock';
import { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { Engine } from '../sending/engine.ts';
import type { EndSubscription } from './end-subscription.ts';
import { createSubscriptionRpc } from './rpc-create-subscription.ts';
import { deleteSubscriptionRpc } from './rpc-delete-subscription.ts';
import { getSubscriptionRpc } from './rpc-get-subscription.ts';
import { listSubscriptionsRpc } from './rpc-list-subscriptions.ts';
import { rotateSubscriptionSecretRpc } from './rpc-rotate-subscription-secret.ts';
import { updateSubscriptionRpc } from './rpc-update-subscription.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import type { Subscriptions } from './subscription-store.ts';
import type { CheckedUrl } from './subscription.ts';

/** What the RPCs of subscriptions work with. */
export interface SubscriptionDeps {
  readonly subscriptions: Subscriptions;
  readonly secrets: SigningSecrets;
  readonly engine: Engine;
  readonly endSubscription: EndSubscription;
  readonly checkUrl: (text: string) => Promise<CheckedUrl>;
  readonly clock: Clock;
  /** The next creation's place in the order. */
  readonly tick: () => number;
  readonly subscriptionsMax: number;
}

/** Every RPC of the contract and the file that answers it. */
export function addSubscriptionService(server: RpcServer, deps: SubscriptionDeps): void {
  server.add(SubscriptionService, employees, {
    createSubscription: createSubscriptionRpc(deps),
    getSubscription: getSubscriptionRpc(deps),
    listSubscriptions: listSubscriptionsRpc(deps),
    updateSubscription: updateSubscriptionRpc(deps),
    rotateSubscriptionSecret: rotateSubscriptionSecretRpc(deps),
    deleteSubscription: deleteSubscriptionRpc(deps),
  });
}
