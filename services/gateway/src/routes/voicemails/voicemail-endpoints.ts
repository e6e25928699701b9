import { empty, endpoint, json, streamArray } from '@parley/http';
import { listedVoicemailJson, listedVoicemailSchema, voicemailJson, voicemailSchema } from '@parley/public-json';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { openList } from '../shared/long-list.ts';
import { optionalPageLimit, PAGE_DEFAULT, pageCursor } from '../shared/page-query.ts';
import { sets } from '../shared/tool-annotations.ts';

export const voicemailEndpoints = (clients: Clients) => [
  listVoicemails(clients),
  getVoicemail(clients),
  updateVoicemail(clients),
  deleteVoicemail(clients),
];

const listVoicemails = ({ voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /voicemails',
    sdkMethod: 'voicemails.list',
    summary: 'List voicemails',
    description:
      'Newest first. `unlistened_count` counts every unlistened voicemail of the company. With `limit` or `cursor` the response is one page, otherwise all of them.',
    query: z.object({
      limit: optionalPageLimit.describe('1 to 100, to read a page; 50 with `cursor` alone'),
      cursor: pageCursor,
    }),
    responses: {
      200: z.object({
        unlistened_count: z.int(),
        voicemails: z.array(listedVoicemailSchema),
        next_cursor: z.string().optional().describe('Of a page, when there are more'),
      }),
    },
    errors: [422],
    tools: {
      list_voicemails: {
        description: 'Voicemails with their transcripts, newest first. Use it to find what callers left.',
        list: 'voicemails',
      },
    },
    async handle({ query: { limit, cursor }, context, requestId }) {
      const { unlistenedCount } = await voicemails.countUnlistened({}, { as: context });
      if (limit !== undefined || cursor !== undefined) {
        const page = await voicemails.listVoicemailPage({ limit: limit ?? PAGE_DEFAULT, cursor }, { as: context });
        return json(200, {
          unlistened_count: unlistenedCount,
          voicemails: page.voicemails.map(listedVoicemailJson),
          ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }),
        });
      }
      const chunks = await openList(
        { context, requestId },
        (options) => voicemails.listVoicemails({}, options),
        (response) => response.voicemails,
      );
      const before = `{"unlistened_count":${unlistenedCount},"voicemails":`;
      return streamArray(chunks, listedVoicemailJson, { before, after: '}' });
    },
  });

const getVoicemail = ({ voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /voicemails/:id',
    sdkMethod: 'voicemails.get',
    summary: 'Get a voicemail',
    description:
      'One message of a caller. `recording_url` is null while the audio is processed, `transcription` until it is transcribed. Reading it does not mark it as listened to.',
    responses: { 200: voicemailSchema },
    errors: [404],
    tools: {
      get_voicemail: {
        description: 'One voicemail with its transcript. Use it when the id is known.',
      },
    },
    async handle({ params, context }) {
      const { voicemail } = await voicemails.getVoicemail({ id: params.id }, { as: context });
      return json(200, voicemailJson(voicemail));
    },
  });

/** Forms and scripts write booleans in these forms. */
const listened = z
  .union([z.boolean(), z.literal([0, 1]), z.literal(['true', 'false', '1', '0'])], 'must be true or false')
  .transform((value) => value === true || value === 1 || value === 'true' || value === '1');

const updateVoicemail = ({ voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'PATCH /voicemails/:id',
    sdkMethod: 'voicemails.update',
    summary: 'Mark a voicemail as listened',
    description: '`true` sets `listened_at` unless it is set already; `false` clears it. Takes JSON or a form.',
    body: z.object({ listened: listened.optional().meta({ type: 'boolean' }) }).optional(),
    responses: { 200: voicemailSchema },
    errors: [404, 422],
    tools: {
      mark_voicemail_listened: {
        description: 'Marks a voicemail as listened for the whole team. Use it when the employee has dealt with it.',
        annotations: sets,
        fixed: { listened: true },
      },
    },
    async handle({ params, body, context }) {
      const { voicemail } = await voicemails.updateVoicemail(
        { id: params.id, listened: body?.listened },
        { as: context },
      );
      return json(200, voicemailJson(voicemail));
    },
  });

const deleteVoicemail = ({ voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'DELETE /voicemails/:id',
    sdkMethod: 'voicemails.delete',
    summary: 'Delete a voicemail',
    description: 'Permanently removes the voicemail and its recording.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await voicemails.deleteVoicemail({ id: params.id }, { as: context });
      return empty(204);
    },
  });
