import type { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { subscriptionToProto } from './subscription-proto.ts';
import { rotateSecret } from '../subscriptions/subscription.ts';
import type { SubscriptionDeps } from './subscription-deps.ts';

export const rotateSubscriptionSecretRpc =
  ({
    subscriptions,
    secrets,
    clock,
  }: SubscriptionDeps): Handler<typeof SubscriptionService.method.rotateSubscriptionSecret, EmployeePrincipal> =>
  async ({ id }, { principal: caller }) => {
    const { secret, encrypted } = secrets.make(id);
    const subscription = await subscriptions
      .of(caller.companyId)
      .change(id, (current) => rotateSecret(current, encrypted, clock.now()));
    return { subscription: subscriptionToProto(subscription), secret };
  };
