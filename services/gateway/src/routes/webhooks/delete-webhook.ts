import { empty, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

export const deleteWebhook = ({ subscriptions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'delete',
    path: '/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Delete a webhook',
    description:
      'Nothing is sent after the response; scheduled attempts are cancelled and the delivery log is deleted.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await subscriptions.deleteSubscription({ id: params.id }, { as: context });
      return empty(204);
    },
  });
