import { notFound, Refused } from '@parley/errors';
import type { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { subscriptionToProto } from './subscription-proto.ts';
import type { SubscriptionDeps } from './subscription-deps.ts';

export const getSubscriptionRpc =
  ({
    subscriptions,
  }: SubscriptionDeps): Handler<typeof SubscriptionService.method.getSubscription, EmployeePrincipal> =>
  async ({ id }, { principal: caller }) => {
    const subscription = await subscriptions.of(caller.companyId).get(id);
    if (!subscription) throw new Refused(notFound);
    return { subscription: subscriptionToProto(subscription) };
  };
