import { empty, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

export const deleteSoftphoneSession = ({ softphoneSessions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'delete',
    path: '/softphone_sessions/:id',
    tag: 'Softphone',
    summary: 'Revoke a softphone session',
    description: 'Registrations made with it end. Other sessions of the employee are not affected.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await softphoneSessions.deleteSoftphoneSession({ id: params.id }, { as: context });
      return empty(204);
    },
  });
