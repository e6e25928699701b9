import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { SubscriptionSchema } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { Subscription } from '../subscriptions/subscription.ts';

export function subscriptionToProto(subscription: Subscription): MessageInitShape<typeof SubscriptionSchema> {
  return {
    id: subscription.id,
    name: subscription.name,
    url: subscription.url,
    events: [...subscription.events],
    active: subscription.active,
    createdAt: timestampFromDate(subscription.createdAt),
    updatedAt: timestampFromDate(subscription.updatedAt),
  };
}
