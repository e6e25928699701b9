import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';
import { incomingCallConfigBody } from './call-flow-body.ts';

export const setIncomingCallConfig = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'put',
    path: '/business_numbers/:id/incoming_call_config',
    tag: 'Business numbers',
    summary: 'Set the routing during business hours',
    description: 'It can be replaced, not cleared.',
    body: incomingCallConfigBody,
    responses: { 200: businessNumberSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { view } = await businessNumbers.setIncomingCallConfig({ id: params.id, body }, { as: context });
      return json(200, businessNumberJson(view));
    },
  });
