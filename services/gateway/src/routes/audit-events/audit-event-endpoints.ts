import { endpoint, json } from '@parley/http';
import { FileContent } from '@parley/proto/directory/v1/exports_pb';
import { auditEventJson, auditEventSchema } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { type CsvColumn, csvFile } from '../shared/csv-file.ts';
import { pageCursor, pageLimit } from '../shared/page-query.ts';
import { isoTimeSchema, timestampOf } from '../shared/iso-time.ts';

export const auditEventEndpoints = (clients: Clients) => [listAuditEvents(clients), exportAuditEvents(clients)];

const filters = {
  actor_id: z.string().max(100).optional().describe('By this employee'),
  object_id: z.string().max(100).optional().describe('About this object'),
  type: z.string().max(100).optional(),
  from: isoTimeSchema.optional().describe('At this time or later'),
  to: isoTimeSchema.optional().describe('Before this time'),
};
const filterSchema = z.object(filters);

const listAuditEvents = ({ auditEvents }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /audit_events',
    sdkMethod: 'auditEvents.list',
    summary: 'List audit events',
    description:
      'Newest first; filters combine. One entry for every change of the company, employees, credentials and business numbers, and for every sign-in, kept for 400 days. An entry appears within seconds.',
    query: z.object({ ...filters, limit: pageLimit, cursor: pageCursor }),
    responses: { 200: z.object({ audit_events: z.array(auditEventSchema), next_cursor: z.string().nullable() }) },
    errors: [422],
    tools: {
      list_audit_events: {
        description: 'Who changed what in the company’s settings, people and credentials, newest first.',
        list: 'audit_events',
      },
    },
    async handle({ query, context }) {
      const { limit, cursor = '', ...wanted } = query;
      const request = { filter: filterMessage(wanted), limit, cursor };
      const page = await auditEvents.listAuditEvents(request, { as: context });
      return json(200, { audit_events: page.auditEvents.map(auditEventJson), next_cursor: page.nextCursor || null });
    },
  });

const exportAuditEvents = ({ auditEvents, exports }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /audit_events.csv',
    sdkMethod: 'auditEvents.export',
    summary: 'Export audit events',
    description:
      'The same entries as a CSV file (RFC 4180), of any length. A text that a spreadsheet would take for a formula has an apostrophe in front.',
    query: filterSchema,
    responses: { 200: 'text/csv' },
    errors: [422],
    async handle({ query, context, requestId }) {
      return csvFile(
        { exports },
        { context, requestId },
        {
          content: FileContent.AUDIT_EVENTS,
          name: 'audit_events.csv',
          filter: query,
          columns: auditCsvColumns,
          read: (options) => auditEvents.streamAuditEvents({ filter: filterMessage(query) }, options),
          itemsOf: (response) => response.auditEvents.map(auditEventJson),
        },
      );
    },
  });

function filterMessage({ actor_id: actorId, object_id: objectId, type, from, to }: z.output<typeof filterSchema>) {
  return { actorId, objectId, type, from: timestampOf(from), to: timestampOf(to) };
}

/** The changes are one cell of JSON. */
const auditCsvColumns: readonly CsvColumn<z.output<typeof auditEventSchema>>[] = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['type', ({ type }) => type],
  ['actor_type', ({ actor }) => actor.type],
  ['actor_id', ({ actor }) => actor.id],
  ['actor_name', ({ actor }) => actor.name],
  ['credential_type', ({ actor }) => actor.credential?.type],
  ['credential_id', ({ actor }) => actor.credential?.id],
  ['credential_name', ({ actor }) => actor.credential?.name],
  ['object_type', ({ object }) => object.type],
  ['object_id', ({ object }) => object.id],
  ['object_name', ({ object }) => object.name],
  ['changes', ({ changes }) => JSON.stringify(changes)],
  ['address', ({ address }) => address],
  ['request_id', (event) => event.request_id],
];
