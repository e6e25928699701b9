import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { voicemailJson, voicemailSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import { sets } from '../shared/tool-annotations.ts';

/** As forms and scripts write a boolean. */
const listened = z
  .union([z.boolean(), z.literal([0, 1]), z.literal(['true', 'false', '1', '0'])], 'must be true or false')
  .transform((value) => value === true || value === 1 || value === 'true' || value === '1');

export const updateVoicemail = ({ voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'patch',
    path: '/voicemails/:id',
    tag: 'Voicemails',
    summary: 'Mark a voicemail as listened',
    description: '`true` sets `listened_at` unless it is set already; `false` clears it. Takes JSON or a form.',
    body: z.object({ listened: listened.optional().meta({ type: 'boolean' }) }).optional(),
    responses: { 200: voicemailSchema },
    errors: [404, 422],
    tools: [
      {
        name: 'mark_voicemail_listened',
        title: 'Mark a voicemail as listened',
        description: 'Marks a voicemail as listened for the whole team. Use it when the employee has dealt with it.',
        annotations: sets,
        fixed: { listened: true },
      },
    ],
    async handle({ params, body, context }) {
      const { voicemail } = await voicemails.updateVoicemail(
        { id: params.id, listened: body?.listened },
        { as: context },
      );
      return json(200, voicemailJson(voicemail));
    },
  });
