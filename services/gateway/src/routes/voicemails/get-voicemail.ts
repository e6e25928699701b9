import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { voicemailJson, voicemailSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { reads } from '../shared/tool-annotations.ts';

export const getVoicemail = ({ voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/voicemails/:id',
    tag: 'Voicemails',
    summary: 'Get a voicemail',
    responses: { 200: voicemailSchema },
    errors: [404],
    tools: [
      {
        name: 'get_voicemail',
        title: 'Get a voicemail',
        description: 'One voicemail with its transcript. Use it when the id is known.',
        annotations: reads,
      },
    ],
    async handle({ params, context }) {
      const { voicemail } = await voicemails.getVoicemail({ id: params.id }, { as: context });
      return json(200, voicemailJson(voicemail));
    },
  });
