import { json, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import { clientJson, clientSchema } from '../../oauth/oauth-json.ts';
import type { Clients } from '../../peers/peers.ts';
import { boundedText, urlText } from '../../routes/shared/bounded-text.ts';

export const createOAuthClient = ({ oauthClientAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'post',
    path: '/oauth_clients',
    tag: 'OAuth',
    summary: 'Issue an OAuth client',
    description: 'A permanent client, whose redirect URIs may have custom schemes.',
    body: z.object({ client_name: boundedText(128), redirect_uris: z.array(urlText).min(1).max(20) }),
    responses: { 201: clientSchema },
    errors: [422],
    async handle({ body, context }) {
      const { client } = await oauthClientAdmin.createOAuthClient(
        { clientName: body.client_name, redirectUris: body.redirect_uris },
        { as: context },
      );
      if (!client) throw new Error('identity returned no outcome');
      return json(201, clientJson(client));
    },
  });
