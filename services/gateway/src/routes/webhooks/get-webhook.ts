import { answer, route } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { webhookJson, webhookSchema } from './webhook-json.ts';

export const getWebhook = ({ subscriptions }: Clients) =>
  route<EmployeePrincipal>()({
    method: 'get',
    path: '/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Read a webhook',
    answers: { 200: webhookSchema },
    refuses: [404],
    async handle({ params, context }) {
      const { subscription } = await subscriptions.getSubscription({ id: params.id }, { as: context });
      return answer(200, webhookJson(subscription));
    },
  });
