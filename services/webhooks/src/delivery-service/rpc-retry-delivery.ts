import { notFound, Refused } from '@parley/errors';
import type { DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { DeliveryDeps } from './delivery-deps.ts';
import { deliveryToProto } from './delivery-proto.ts';
import { retryByHand } from '../deliveries/delivery.ts';

export const retryDeliveryRpc =
  ({
    deliveries,
    subscriptions,
    engine,
    clock,
  }: DeliveryDeps): Handler<typeof DeliveryService.method.retryDelivery, EmployeePrincipal> =>
  async ({ subscriptionId, deliveryId }, { principal: { companyId } }) => {
    if (!(await subscriptions.of(companyId).get(subscriptionId))) throw new Refused(notFound);
    const delivery = await deliveries.change(subscriptionId, deliveryId, (current) =>
      retryByHand(current, clock.now()),
    );
    if (!delivery) throw new Refused(notFound);
    engine.nudge();
    return { delivery: deliveryToProto(delivery) };
  };
