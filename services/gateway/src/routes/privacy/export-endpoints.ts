import { endpoint, json } from '@parley/http';
import type { Export } from '@parley/proto/directory/v1/exports_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { phoneText } from '../shared/bounded-text.ts';
import { requestedPerson } from './requested-person.ts';
import { isoTimeOf } from '@parley/public-json';

export const exportEndpoints = (clients: Clients, publicUrl: string) => [
  requestExport(clients, publicUrl),
  getExport(clients, publicUrl),
];

/** An export as partners see it. */
const exportSchema = z
  .object({
    id: z.string(),
    phone_number: z.string().describe('E.164, or as the inbox shows the person'),
    state: z.enum(['running', 'done']).describe('`done` once there is an archive'),
    requested_at: z.string(),
    done_at: z.string().nullable(),
    expires_at: z.string().describe('When it is removed'),
    url: z
      .string()
      .nullable()
      .describe('Address of the archive, signed for each request: valid for an hour, and while the credential is'),
  })
  .meta({ id: 'Export' });

const requestExport = (clients: Clients, publicUrl: string) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'POST /privacy/exports',
    sdkMethod: 'privacy.exports.create',
    summary: 'Export a person',
    description:
      'Everything that is stored of a person outside the company, as one zip archive: JSON of the contact, caller context, calls with notes, transcripts and summaries, voicemails, texts, the thread with its comments and webhook deliveries, and the audio files. The archive is made while it is downloaded. The erasure of the person ends it.',
    body: z.object({
      phone_number: phoneText.describe('In any common format, or as the inbox shows a short code or a named sender'),
    }),
    responses: { 202: exportSchema },
    errors: [422],
    async handle({ body, context }) {
      const request = await requestedPerson(clients, body.phone_number, context);
      const { export: requested } = await clients.exports.requestExport(request, { as: context });
      return json(202, exportJson(requested!, publicUrl));
    },
  });

const getExport = ({ exports }: Clients, publicUrl: string) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /privacy/exports/:id',
    sdkMethod: 'privacy.exports.get',
    summary: 'Read an export',
    description:
      'An export that was requested before. `url` is a new address in each response, valid for an hour. 404 once the export has expired or the person was erased.',
    responses: { 200: exportSchema },
    errors: [404],
    async handle({ params, context }) {
      const { export: found } = await exports.getExport({ id: params.id }, { as: context });
      return json(200, exportJson(found!, publicUrl));
    },
  });

function exportJson(found: Export, publicUrl: string): z.output<typeof exportSchema> {
  const { id, phoneNumber, requestedAt, expiresAt, address } = found;
  if (!address) throw new Error('an export without its address');
  const requested = isoTimeOf(requestedAt);
  const query = new URLSearchParams({
    expires: `${address.expires}`,
    for: address.givenTo,
    sig: address.signature,
  });
  return {
    id,
    phone_number: phoneNumber,
    state: 'done',
    requested_at: requested,
    done_at: requested,
    expires_at: isoTimeOf(expiresAt),
    url: `${publicUrl}/media/exports/${id}?${query}`,
  };
}
