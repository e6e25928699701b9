import { empty, endpoint, json } from '@parley/http';
import { IntegrationKind } from '@parley/proto/directory/v1/integrations_pb';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { boundedText, lineText, urlText } from '../../routes/shared/bounded-text.ts';

export const integrationEndpoints = (clients: Clients) => [setIntegration(clients), removeIntegration(clients)];

/** The kinds of systems by the names they have in addresses. Any other names nothing. */
const integrationKinds = {
  custom_endpoint: IntegrationKind.CUSTOM_ENDPOINT,
  ecommerce: IntegrationKind.ECOMMERCE,
  accounting: IntegrationKind.ACCOUNTING,
};

const integrationParams = z.object({
  id: z.string(),
  kind: z.enum(['custom_endpoint', 'ecommerce', 'accounting']),
});

const setIntegration = ({ integrationAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'PUT /companies/:id/integrations/:kind',
    summary: 'Connect a caller context system',
    description: 'Its secret is kept encrypted and never shown again.',
    params: integrationParams,
    body: z.object({
      url: urlText,
      secret: boundedText(1024),
      label: lineText(128).nullish(),
      source: lineText(128).nullish(),
    }),
    responses: {
      200: z.object({ id: z.string(), kind: z.string(), url: z.string(), label: z.string(), source: z.string() }),
    },
    errors: [404, 409, 422],
    async handle({ params, body, context }) {
      const { integration } = await integrationAdmin.setIntegration(
        {
          companyId: params.id,
          kind: integrationKinds[params.kind],
          url: body.url,
          secret: body.secret,
          label: body.label ?? undefined,
          source: body.source ?? undefined,
        },
        { as: context },
      );
      const { id, url, label, source } = integration!;
      return json(200, { id, kind: params.kind, url, label, source });
    },
  });

const removeIntegration = ({ integrationAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'DELETE /companies/:id/integrations/:kind',
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
