import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { businessHoursBody, businessHoursMessage } from './business-hours-body.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';
import { clearableCallFlowBody, clearableCallFlowMessage } from './call-flow-body.ts';
import { callTargetProblems, callTargetsIn } from './call-targets.ts';

export const setOutsideBusinessHoursConfig = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'put',
    path: '/business_numbers/:id/outside_business_hours_config',
    tag: 'Business numbers',
    summary: 'Set the routing outside business hours',
    description: 'A null type clears it: calls are then routed as during business hours. The schedule may change too.',
    body: clearableCallFlowBody.and(z.object({ business_hours: businessHoursBody.optional() })),
    responses: { 200: businessNumberSchema },
    errors: { 403: '`destination_not_allowed`', 404: 'not_found', 422: 'validation_failed' },
    beforeRefusing: ({ params, context, rejectedBody }) =>
      callTargetProblems(clients, params.id, callTargetsIn(rejectedBody), context),
    async handle({ params, body, context }) {
      const { view } = await clients.businessNumbers.setOutsideBusinessHoursConfig(
        {
          id: params.id,
          config: clearableCallFlowMessage(body),
          businessHours: businessHoursMessage(body.business_hours),
        },
        { as: context },
      );
      return json(200, businessNumberJson(view));
    },
  });
