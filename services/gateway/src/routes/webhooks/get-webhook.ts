import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { webhookJson, webhookSchema } from './webhook-json.ts';

export const getWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'get',
    path: '/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Read a webhook',
    responses: { 200: webhookSchema },
    errors: [404],
    async handle({ params, context }) {
      const { subscription } = await subscriptions.getSubscription({ id: params.id }, { as: context });
      return json(200, webhookJson(subscription));
    },
  });
