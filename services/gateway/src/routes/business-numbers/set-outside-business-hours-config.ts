import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';
import { outsideBusinessHoursConfigBody } from './call-flow-body.ts';

export const setOutsideBusinessHoursConfig = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'put',
    path: '/business_numbers/:id/outside_business_hours_config',
    tag: 'Business numbers',
    summary: 'Set the routing outside business hours',
    description: 'A null type clears it: calls are then routed as during business hours. The schedule may change too.',
    body: outsideBusinessHoursConfigBody,
    responses: { 200: businessNumberSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { view } = await businessNumbers.setOutsideBusinessHoursConfig({ id: params.id, body }, { as: context });
      return json(200, businessNumberJson(view));
    },
  });
