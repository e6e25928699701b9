import { empty, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

export const deleteVoicemail = ({ voicemails }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'delete',
    path: '/voicemails/:id',
    tag: 'Voicemails',
    summary: 'Delete a voicemail',
    description: 'Permanently removes the voicemail and its recording.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await voicemails.deleteVoicemail({ id: params.id }, { as: context });
      return empty(204);
    },
  });
