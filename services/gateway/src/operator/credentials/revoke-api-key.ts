import { empty, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import type { EvictCredential } from '../../credentials/evict-credential.ts';
import type { Clients } from '../../peers/peers.ts';

export const revokeApiKey = ({ apiKeyAdmin }: Clients, evict: EvictCredential) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'delete',
    path: '/api_keys/:id',
    tag: 'Employees',
    summary: 'Revoke an API key',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await apiKeyAdmin.revokeApiKey({ id: params.id }, { as: context });
      evict({ credentialId: params.id, employeeId: '' });
      return empty(204);
    },
  });
