import { empty, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { integrationKinds, integrationParams } from './integration-kind.ts';

export const removeIntegration = ({ integrationAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'delete',
    path: '/companies/:id/integrations/:kind',
    tag: 'Companies',
    summary: 'Disconnect a caller context system',
    params: integrationParams,
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      const which = { companyId: params.id, kind: integrationKinds[params.kind] };
      await integrationAdmin.removeIntegration(which, { as: context });
      return empty(204);
    },
  });
