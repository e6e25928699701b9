import type { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { subscriptionToProto } from './subscription-proto.ts';
import { type SubscriptionChange, updateSubscription } from '../subscriptions/subscription.ts';
import type { SubscriptionDeps } from './subscription-deps.ts';

export const updateSubscriptionRpc =
  ({
    subscriptions,
    engine,
    checkUrl,
    clock,
  }: SubscriptionDeps): Handler<typeof SubscriptionService.method.updateSubscription, EmployeePrincipal> =>
  async ({ id, name, url, events, active }, { principal: caller }) => {
    const change: SubscriptionChange = {
      ...(name !== undefined && { name }),
      ...(url !== undefined && { url: await checkUrl(url) }),
      ...(events !== undefined && { events: events.events }),
      ...(active !== undefined && { active }),
    };
    const subscription = await subscriptions
      .of(caller.companyId)
      .change(id, (current) => updateSubscription(current, change, clock.now()));
    // Also when it was active before: this repairs a crash between these two steps.
    if (active) await engine.resume(id);
    return { subscription: subscriptionToProto(subscription) };
  };
