import { empty, route } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import type { ForgetCredential } from '../credentials/forget-credential.ts';
import type { Clients } from '../peers.ts';

export const revokeApiKey = ({ apiKeyAdmin }: Clients, forget: ForgetCredential) =>
  route<OperatorPrincipal>()({
    method: 'delete',
    path: '/api_keys/:id',
    tag: 'Employees',
    summary: 'Revoke an API key',
    answers: { 204: null },
    refuses: [404],
    async handle({ params, context }) {
      await apiKeyAdmin.revokeApiKey({ id: params.id }, { as: context });
      forget({ credentialId: params.id, employeeId: '' });
      return empty(204);
    },
  });
