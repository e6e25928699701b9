import { empty, route } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';

export const deleteWebhook = ({ subscriptions }: Clients) =>
  route<EmployeePrincipal>()({
    method: 'delete',
    path: '/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description: 'Nothing is sent after the answer, scheduled attempts included. The log goes too.',
    answers: { 204: null },
    refuses: [404],
    async handle({ params, context }) {
      await subscriptions.deleteSubscription({ id: params.id }, { as: context });
      return empty(204);
    },
  });
