import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { deliveryJson, deliverySchema } from './delivery-json.ts';

export const sendTestEvent = ({ deliveries }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'post',
    path: '/webhooks/:id/test',
    tag: 'Webhooks',
    summary: 'Send a test event',
    operationId: 'sendWebhookTestEvent',
    description: 'Sends a `webhook.test` event, even while the webhook is paused.',
    responses: { 202: deliverySchema },
    errors: [404],
    async handle({ params, context }) {
      const { delivery } = await deliveries.sendTestEvent({ subscriptionId: params.id }, { as: context });
      return json(202, deliveryJson(delivery));
    },
  });
