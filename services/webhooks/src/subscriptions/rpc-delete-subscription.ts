import type { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { EmployeeCaller, Handler } from '@parley/rpc';
import type { SubscriptionDeps } from './subscription-deps.ts';

export const deleteSubscriptionRpc =
  ({
    endSubscription,
  }: SubscriptionDeps): Handler<typeof SubscriptionService.method.deleteSubscription, EmployeeCaller> =>
  async ({ id }, { caller }) => {
    await endSubscription(caller.companyId, id);
    return {};
  };
