import { invalid, notFound, Refused } from '@parley/errors';
import type { DeliveryService } from '@parley/proto/webhooks/v1/deliveries_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { DeliveryDeps } from './delivery-deps.ts';
import { deliveryToProto } from './delivery-proto.ts';
import type { LogPosition } from '../deliveries/delivery-store.ts';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100;

export const listDeliveriesRpc =
  ({
    deliveries,
    subscriptions,
    cursors,
  }: DeliveryDeps): Handler<typeof DeliveryService.method.listDeliveries, EmployeePrincipal> =>
  async ({ subscriptionId, cursor, limit: requested }, { principal: { companyId } }) => {
    if (!(await subscriptions.of(companyId).get(subscriptionId))) throw new Refused(notFound);
    const scope = ['deliveries', companyId, subscriptionId];
    const after = cursor === '' ? undefined : (cursors.open(cursor, scope) as LogPosition | undefined);
    if (cursor !== '' && !after) throw new Refused(invalid({ cursor: ['is invalid'] }));
    const limit = Math.min(Math.max(requested || LIMIT_DEFAULT, 1), LIMIT_MAX);
    // One more than requested, to detect whether there is a next page.
    const found = await deliveries.page(subscriptionId, after, limit + 1);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const nextCursor = last && found.length > limit ? cursors.seal([last.createdAt.getTime(), last.id], scope) : '';
    return { deliveries: page.map(deliveryToProto), nextCursor };
  };
