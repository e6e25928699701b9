import { endpoint, streamArray } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { listedVoicemailJson, listedVoicemailSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { openList } from '../shared/long-list.ts';
import { reads } from '../shared/tool-annotations.ts';

export const listVoicemails = ({ voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/voicemails',
    tag: 'Voicemails',
    summary: 'List voicemails',
    description: 'Newest first. `unlistened_count` counts every unlistened voicemail of the company.',
    responses: { 200: z.object({ unlistened_count: z.int(), voicemails: z.array(listedVoicemailSchema) }) },
    tools: [
      {
        name: 'list_voicemails',
        title: 'List voicemails',
        description: 'Voicemails with their transcripts, newest first. Use it to find what callers left.',
        annotations: reads,
        list: 'voicemails',
      },
    ],
    async handle({ context, requestId }) {
      const { unlistenedCount } = await voicemails.countUnlistened({}, { as: context });
      const chunks = await openList(
        { context, requestId },
        (options) => voicemails.listVoicemails({}, options),
        (response) => response.voicemails,
      );
      const before = `{"unlistened_count":${unlistenedCount},"voicemails":`;
      return streamArray(chunks, listedVoicemailJson, { before, after: '}' });
    },
  });
