import { endpoint, json } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { inboxRebuildJson, inboxRebuildSchema } from './inbox-rebuild-json.ts';

export const getInboxRebuild = ({ inboxAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'get',
    path: '/companies/:id/inbox_rebuild',
    tag: 'Companies',
    summary: 'Get the status of the last inbox rebuild',
    responses: { 200: inboxRebuildSchema },
    errors: [404],
    async handle({ params, context }) {
      const { rebuild } = await inboxAdmin.getInboxRebuild({ companyId: params.id }, { as: context });
      return json(200, inboxRebuildJson(rebuild));
    },
  });
