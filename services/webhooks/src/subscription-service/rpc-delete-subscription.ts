import type { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { SubscriptionDeps } from './subscription-deps.ts';

export const deleteSubscriptionRpc =
  ({
    endSubscription,
  }: SubscriptionDeps): Handler<typeof SubscriptionService.method.deleteSubscription, EmployeePrincipal> =>
  async ({ id }, { principal: caller }) => {
    await endSubscription(caller.companyId, id);
    return {};
  };
