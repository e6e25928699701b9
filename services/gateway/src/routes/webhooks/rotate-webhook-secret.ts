import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { webhookJson, webhookWithSecretSchema } from './webhook-json.ts';

export const rotateWebhookSecret = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'post',
    path: '/webhooks/:id/rotate_secret',
    tag: 'Webhooks',
    summary: 'Rotate a webhook’s secret',
    operationId: 'rotateWebhookSecret',
    description:
      'Deliveries are signed with the new secret immediately. For 24 hours they are signed with the previous secret as well.',
    responses: { 200: webhookWithSecretSchema },
    errors: [404],
    async handle({ params, context }) {
      const { subscription, secret } = await subscriptions.rotateSubscriptionSecret({ id: params.id }, { as: context });
      return json(200, { ...webhookJson(subscription), secret });
    },
  });
