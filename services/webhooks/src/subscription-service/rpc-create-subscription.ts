import { newId } from '@parley/ids';
import type { SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { subscriptionToProto } from './subscription-proto.ts';
import { createSubscription } from '../subscriptions/subscription.ts';
import type { SubscriptionDeps } from './subscription-deps.ts';

export const createSubscriptionRpc =
  ({
    subscriptions,
    secrets,
    checkUrl,
    clock,
    tick,
    subscriptionsMax: max,
  }: SubscriptionDeps): Handler<typeof SubscriptionService.method.createSubscription, EmployeePrincipal> =>
  async ({ name, url, events, active = true }, { principal: { companyId } }) => {
    const fields = { name, url: await checkUrl(url), events };
    const id = newId('whk');
    const { secret, encrypted } = secrets.make(id);
    const identity = { id, companyId, createdOrder: tick() };
    const decision = createSubscription({ ...identity, fields, active, encryptedSecret: encrypted }, clock.now());
    const subscription = await subscriptions.of(companyId).create(decision, max);
    return { subscription: subscriptionToProto(subscription), secret };
  };
