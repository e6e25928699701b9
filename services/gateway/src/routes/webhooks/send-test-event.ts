import { answer, route } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { deliveryJson, deliverySchema } from './delivery-json.ts';

export const sendTestEvent = ({ deliveries }: Clients) =>
  route<EmployeePrincipal>()({
    method: 'post',
    path: '/webhooks/:id/test',
    tag: 'Webhooks',
    summary: 'Send a test event',
    operationId: 'sendWebhookTestEvent',
    description: 'Sends an event `webhook.test`, also while the webhook is paused.',
    answers: { 202: deliverySchema },
    refuses: [404],
    async handle({ params, context }) {
      const { delivery } = await deliveries.sendTestEvent({ subscriptionId: params.id }, { as: context });
      return answer(202, deliveryJson(delivery));
    },
  });
