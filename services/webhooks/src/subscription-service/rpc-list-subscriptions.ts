import type { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { subscriptionToProto } from './subscription-proto.ts';
import type { SubscriptionDeps } from './subscription-deps.ts';

export const listSubscriptionsRpc =
  ({
    subscriptions,
  }: SubscriptionDeps): Handler<typeof SubscriptionService.method.listSubscriptions, EmployeePrincipal> =>
  async (_request, { principal: caller }) => {
    const all = await subscriptions.of(caller.companyId).list();
    return { subscriptions: all.map(subscriptionToProto) };
  };
