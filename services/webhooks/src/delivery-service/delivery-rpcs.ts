import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused } from '@parley/errors';
import { employees, type RpcServer } from '@parley/rpc';
import { newId, type Cursors } from '@parley/secrets';
import { currentTraceparent } from '@parley/telemetry';
import { type AttemptSchema, type DeliverySchema, DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import type { Deliveries, LoggedDelivery, LogPosition, DeliveryBodies } from '../deliveries/delivery-store.ts';
import { type Attempt, isUnderWay, newTestDelivery, retryManually } from '../deliveries/delivery.ts';
import { webhookBody } from '../payloads/payloads.ts';
import type { Engine } from '../sending/engine.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100;
const TEST_EVENT = 'webhook.test';

export interface DeliveryDeps {
  readonly deliveries: Deliveries;
  readonly bodies: DeliveryBodies;
  readonly subscriptions: Subscriptions;
  readonly engine: Engine;
  readonly cursors: Cursors;
  readonly clock: Clock;
}

export function addDeliveryService(server: RpcServer, deps: DeliveryDeps): void {
  const { deliveries, engine, clock } = deps;

  async function subscriptionOf(companyId: string, id: string): Promise<Subscription> {
    const subscription = await deps.subscriptions.of(companyId).get(id);
    if (!subscription) throw new Refused(notFound);
    return subscription;
  }

  server.add(DeliveryService, employees.withRole('admin'), {
    async listDeliveries({ subscriptionId, cursor, limit: requested }, { principal: { companyId } }) {
      await subscriptionOf(companyId, subscriptionId);
      const scope = ['deliveries', companyId, subscriptionId];
      const after = cursor === '' ? undefined : (deps.cursors.open(cursor, scope) as LogPosition | undefined);
      if (cursor !== '' && !after) throw new Refused(invalid({ cursor: ['is invalid'] }));
      const limit = Math.min(Math.max(requested || LIMIT_DEFAULT, 1), LIMIT_MAX);
      // One more than requested, to detect whether there is a next page.
      const found = await deliveries.page(subscriptionId, after, limit + 1);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const nextCursor =
        last && found.length > limit ? deps.cursors.seal([last.createdAt.getTime(), last.id], scope) : '';
      return { deliveries: page.map(deliveryToProto), nextCursor };
    },

    async retryDelivery({ subscriptionId, deliveryId }, { principal: { companyId } }) {
      await subscriptionOf(companyId, subscriptionId);
      const delivery = await deliveries.change(subscriptionId, deliveryId, (current) =>
        retryManually(current, clock.now()),
      );
      if (!delivery) throw new Refused(notFound);
      engine.pollNow();
      return { delivery: deliveryToProto(delivery) };
    },

    async sendTestEvent({ subscriptionId }, { principal: { companyId } }) {
      const { name } = await subscriptionOf(companyId, subscriptionId);
      const now = clock.now();
      const id = newId('whd');
      const body = webhookBody(TEST_EVENT, now, { webhook: { id: subscriptionId, name } });
      const delivery = newTestDelivery(
        {
          id,
          companyId,
          subscriptionId,
          event: TEST_EVENT,
          sealedBody: deps.bodies.seal(body, id),
          createdAt: now,
          traceparent: currentTraceparent() ?? null,
        },
        now,
      );
      await deliveries.insert({ delivery, lease: null });
      engine.pollNow();
      return { delivery: deliveryToProto(delivery) };
    },
  });
}

function deliveryToProto(delivery: LoggedDelivery): MessageInitShape<typeof DeliverySchema> {
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
