import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AttemptSchema, DeliverySchema } from '@parley/proto/webhooks/v1/deliveries_pb';
import { type Attempt, isUnderWay } from '../deliveries/delivery.ts';
import type { LoggedDelivery } from '../deliveries/delivery-store.ts';

export function deliveryToProto(delivery: LoggedDelivery): MessageInitShape<typeof DeliverySchema> {
  const { due, status } = delivery;
  return {
    id: delivery.id,
    event: delivery.event,
    status,
    createdAt: timestampFromDate(delivery.createdAt),
    ...(due && status === 'pending' && !isUnderWay(delivery) && { nextAttemptAt: timestampFromDate(due.at) }),
    attempts: delivery.attempts.map(attemptToProto),
  };
}

function attemptToProto(attempt: Attempt): MessageInitShape<typeof AttemptSchema> {
  return {
    at: timestampFromDate(attempt.at),
    ...(attempt.statusCode !== null && { statusCode: attempt.statusCode }),
    ...(attempt.error !== null && { error: attempt.error }),
    ...(attempt.durationMs !== null && { durationMs: attempt.durationMs }),
    ...(attempt.responseExcerpt !== null && { responseExcerpt: attempt.responseExcerpt }),
  };
}
