import { json, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { integrationKinds, integrationParams } from './integration-kind.ts';
import { boundedText, urlText } from '../../routes/shared/bounded-text.ts';

export const setIntegration = ({ integrationAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'put',
    path: '/companies/:id/integrations/:kind',
    tag: 'Companies',
    summary: 'Connect a caller context system',
    description: 'Its secret is kept encrypted and never shown again.',
    params: integrationParams,
    body: z.object({
      url: urlText,
      secret: boundedText(1024),
      label: boundedText(128).nullish(),
      source: boundedText(128).nullish(),
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
