import { notFound, Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import type { DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { currentTraceparent } from '@parley/telemetry';
import { webhookBody } from '../payloads/payload.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { deliveryToProto } from './delivery-proto.ts';
import { newTestDelivery } from '../deliveries/delivery.ts';

const TEST_EVENT = 'webhook.test';

export const sendTestEventRpc =
  ({
    deliveries,
    bodies,
    subscriptions,
    engine,
    clock,
  }: DeliveryDeps): Handler<typeof DeliveryService.method.sendTestEvent, EmployeePrincipal> =>
  async ({ subscriptionId }, { principal: { companyId } }) => {
    const subscription = await subscriptions.of(companyId).get(subscriptionId);
    if (!subscription) throw new Refused(notFound);
    const now = clock.now();
    const id = newId('whd');
    const body = webhookBody(TEST_EVENT, now, { webhook: { id: subscription.id, name: subscription.name } });
    const delivery = newTestDelivery(
      {
        id,
        companyId,
        subscriptionId,
        event: TEST_EVENT,
        sealedBody: bodies.seal(body, id),
        createdAt: now,
        traceparent: currentTraceparent() ?? null,
      },
      now,
    );
    await deliveries.insert({ delivery, lease: null });
    engine.nudge();
    return { delivery: deliveryToProto(delivery) };
  };
