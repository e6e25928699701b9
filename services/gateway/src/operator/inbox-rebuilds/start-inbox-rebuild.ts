import { endpoint, json } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { inboxRebuildJson, inboxRebuildSchema } from './inbox-rebuild-json.ts';

export const startInboxRebuild = ({ inboxAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'post',
    path: '/companies/:id/inbox_rebuild',
    tag: 'Companies',
    summary: 'Rebuild the inbox of a company',
    description:
      'Reads calls, voicemails, texts and contacts again from the services that own them, while the inbox stays available. Seen items stay seen. A running rebuild continues.',
    responses: { 202: inboxRebuildSchema },
    errors: [404],
    async handle({ params, context }) {
      const { rebuild } = await inboxAdmin.startInboxRebuild({ companyId: params.id }, { as: context });
      return json(202, inboxRebuildJson(rebuild));
    },
  });
