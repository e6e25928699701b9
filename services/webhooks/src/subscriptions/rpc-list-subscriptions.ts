import type { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { EmployeeCaller, Handler } from '@parley/rpc';
import { subscriptionToProto } from './subscription-proto.ts';
import type { SubscriptionDeps } from './subscription-deps.ts';

export const listSubscriptionsRpc =
  ({ subscriptions }: SubscriptionDeps): Handler<typeof SubscriptionService.method.listSubscriptions, EmployeeCaller> =>
  async (_request, { caller }) => {
    const all = await subscriptions.of(caller.companyId).list();
    return { subscriptions: all.map(subscriptionToProto) };
  };
