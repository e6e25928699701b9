import { endpoint, json } from '@parley/http';
import type { InboxRebuild } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { isoTime, isoTimeOf } from '@parley/public-json';

export const rebuildEndpoints = (clients: Clients) => [
  startInboxRebuild(clients),
  getInboxRebuild(clients),
  startReportRebuild(clients),
];

const startInboxRebuild = ({ inboxAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'POST /companies/:id/inbox_rebuild',
    summary: 'Rebuild the inbox of a company',
    description:
      'Reads calls, voicemails, texts and contacts again from the services that own them, while the inbox stays available. Seen items stay seen. A running rebuild continues.',
    responses: { 202: inboxRebuildSchema },
    errors: [404],
    async handle({ params, context }) {
      const { rebuild } = await inboxAdmin.startInboxRebuild({ companyId: params.id }, { as: context });
      return json(202, inboxRebuildJson(rebuild!));
    },
  });

const getInboxRebuild = ({ inboxAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'GET /companies/:id/inbox_rebuild',
    summary: 'Get the status of the last inbox rebuild',
    responses: { 200: inboxRebuildSchema },
    errors: [404],
    async handle({ params, context }) {
      const { rebuild } = await inboxAdmin.getInboxRebuild({ companyId: params.id }, { as: context });
      return json(200, inboxRebuildJson(rebuild!));
    },
  });

const inboxRebuildSchema = z
  .object({
    status: z.enum(['running', 'finished']),
    started_at: z.string(),
    finished_at: z.string().nullable(),
    items: z.int().nullable().describe('Read from their owners; this and the rest are null while it runs'),
    added_items: z.int().nullable().describe('That the inbox did not have'),
    removed_items: z.int().nullable().describe('That their owners no longer have'),
    threads: z.int().nullable().describe('Summarised again, one per external number and business number'),
    contacts: z.int().nullable().describe('Read from the directory'),
    removed_contacts: z.int().nullable().describe('That the directory no longer has'),
  })
  .meta({ id: 'InboxRebuild' });

function inboxRebuildJson({ startedAt, finishedAt, counts }: InboxRebuild): z.output<typeof inboxRebuildSchema> {
  return {
    status: finishedAt ? 'finished' : 'running',
    started_at: isoTimeOf(startedAt),
    finished_at: isoTime(finishedAt),
    items: counts?.items ?? null,
    added_items: counts?.addedItems ?? null,
    removed_items: counts?.removedItems ?? null,
    threads: counts?.threads ?? null,
    contacts: counts?.contacts ?? null,
    removed_contacts: counts?.removedContacts ?? null,
  };
}

const startReportRebuild = ({ reportAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'POST /companies/:id/report_rebuild',
    summary: 'Rebuild the reports of a company',
    description: 'Counts all calls and texts again, from the services that own them. Reports wait until it is done.',
    responses: { 202: z.object({ status: z.string().describe('`running`') }) },
    errors: [404],
    async handle({ params, context }) {
      await reportAdmin.startReportRebuild({ companyId: params.id }, { as: context });
      return json(202, { status: 'running' });
    },
  });
