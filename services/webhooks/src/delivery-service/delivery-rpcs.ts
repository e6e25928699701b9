import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused } from '@parley/errors';
import { employees, type RpcServer } from '@parley/rpc';
import { newId, type SignedTokens } from '@parley/secrets';
import { currentTraceparent } from '@parley/telemetry';
import { type AttemptSchema, type DeliverySchema, DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import { TEST_EVENT } from '@parley/public-json';
import type { Deliveries, LoggedDelivery, LogPosition, DeliveryBodies } from '../deliveries/delivery-store.ts';
import { type Attempt, isUnderWay, newTestDelivery, retryManually } from '../deliveries/delivery.ts';
import { webhookBody } from '../payloads/payloads.ts';
import type { Engine } from '../sending/engine.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { sendFailedAgain, type Subscription } from '../subscriptions/subscription.ts';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100;
const RETRIED_MAX = 10_000;
const RETRIED_PER_WRITE = 200;

type Retried = 'failed' | 'held';

export interface DeliveryDeps {
  readonly deliveries: Deliveries;
  readonly bodies: DeliveryBodies;
  readonly subscriptions: Subscriptions;
  readonly engine: Engine;
  readonly cursors: SignedTokens;
  readonly clock: Clock;
}

export function addDeliveryService(server: RpcServer, deps: DeliveryDeps): void {
  const { deliveries, engine, clock } = deps;

  async function subscriptionOf(companyId: string, id: string): Promise<Subscription> {
    const subscription = await deps.subscriptions.of(companyId).get(id);
    if (!subscription) throw new Refused(notFound);
    return subscription;
  }

  /** At most so many; how many there were. */
  async function retryAll(subscriptionId: string, status: Retried, since: Date, max: number): Promise<number> {
    let count = 0;
    while (count < max) {
      const limit = Math.min(RETRIED_PER_WRITE, max - count);
      const retried = await deliveries.retryAll({ subscriptionId, status, since }, limit, clock.now());
      if (retried.length === 0) break;
      count += retried.length;
      const lanes = new Set(retried.flatMap(({ lane }) => lane ?? []));
      await Promise.all([...lanes].map(engine.announce));
    }
    return count;
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

    async retryDeliveries({ subscriptionId, since, statuses }, { principal: { companyId } }) {
      await subscriptionOf(companyId, subscriptionId);
      const wanted = statusesFrom(statuses);
      if (!since) throw new Refused(invalid({ since: ['is missing'] }));
      let count = 0;
      for (const status of wanted)
        count += await retryAll(subscriptionId, status, timestampDate(since), RETRIED_MAX - count);
      if (count > 0) {
        await deps.subscriptions.of(companyId).change(subscriptionId, (current) => sendFailedAgain(current, count));
        engine.pollNow();
      }
      return { count };
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

function statusesFrom(statuses: readonly string[]): readonly Retried[] {
  const isRetried = (status: string): status is Retried => status === 'failed' || status === 'held';
  if (!statuses.every(isRetried)) throw new Refused(invalid({ statuses: ['must be failed or held'] }));
  return statuses.length === 0 ? ['failed'] : [...new Set(statuses)];
}

export function deliveryToProto(delivery: LoggedDelivery): MessageInitShape<typeof DeliverySchema> {
  const { due, status } = delivery;
  return {
    id: delivery.id,
    event: delivery.event,
    ...(delivery.eventId !== undefined && { eventId: delivery.eventId }),
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
