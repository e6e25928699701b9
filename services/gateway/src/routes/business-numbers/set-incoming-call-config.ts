import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';
import { callFlowBody, callFlowMessage } from './call-flow-body.ts';
import { callTargetProblems, callTargetsIn } from './call-targets.ts';

export const setIncomingCallConfig = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'put',
    path: '/business_numbers/:id/incoming_call_config',
    tag: 'Business numbers',
    summary: 'Set the routing during business hours',
    description: 'It cannot be cleared.',
    body: callFlowBody,
    responses: { 200: businessNumberSchema },
    errors: { 403: '`destination_not_allowed`', 404: 'not_found', 422: 'validation_failed' },
    beforeRefusing: ({ params, context, rejectedBody }) =>
      callTargetProblems(clients, params.id, callTargetsIn(rejectedBody), context),
    async handle({ params, body, context }) {
      const { view } = await clients.businessNumbers.setIncomingCallConfig(
        { id: params.id, config: callFlowMessage(body) },
        { as: context },
      );
      return json(200, businessNumberJson(view));
    },
  });
