import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { deliveryJson, deliverySchema } from './delivery-json.ts';

export const retryDelivery = ({ deliveries }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'post',
    path: '/webhooks/:id/deliveries/:delivery_id/retry',
    tag: 'Webhooks',
    summary: 'Retry a delivery',
    operationId: 'retryWebhookDelivery',
    description: 'Starts a new series of attempts, whatever the status of the delivery.',
    responses: { 202: deliverySchema },
    errors: [404],
    async handle({ params, context }) {
      const { delivery } = await deliveries.retryDelivery(
        { subscriptionId: params.id, deliveryId: params.delivery_id },
        { as: context },
      );
      return json(202, deliveryJson(delivery));
    },
  });
