import { empty, route } from '@parley/http';
import type { OperatorCaller } from '@parley/rpc';
import type { Clients } from '../peers.ts';

export const revokeApiKey = ({ apiKeyAdmin }: Clients) =>
  route<OperatorCaller>()({
    method: 'delete',
    path: '/api_keys/:id',
    tag: 'Employees',
    summary: 'Revoke an API key',
    answers: { 204: null },
    refuses: [404],
    async handle({ params, context }) {
      await apiKeyAdmin.revokeApiKey({ id: params.id }, { as: context });
      return empty(204);
    },
  });
