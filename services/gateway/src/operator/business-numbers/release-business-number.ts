import { empty, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

export const releaseBusinessNumber = ({ businessNumberAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'delete',
    path: '/business_numbers/:id',
    tag: 'Business numbers',
    summary: 'Release a business number',
    description:
      'It takes no calls and texts any more, and its routing, prompts and settings are removed. Calls in progress continue, and the company’s history keeps its name. The phone number can be given to any company.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await businessNumberAdmin.releaseBusinessNumber({ id: params.id }, { as: context });
      return empty(204);
    },
  });
