import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';
import { reads } from '../shared/tool-annotations.ts';

export const getBusinessNumber = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/business_numbers/:id',
    tag: 'Business numbers',
    summary: 'Read a business number',
    responses: { 200: businessNumberSchema },
    errors: [404],
    tools: [
      {
        name: 'get_business_number',
        title: 'Get a business number',
        description:
          'One business number with its business hours, call routing and whether it can text. Use it when the id is known.',
        annotations: reads,
      },
    ],
    async handle({ params, context }) {
      const { view } = await businessNumbers.getBusinessNumber({ id: params.id }, { as: context });
      return json(200, businessNumberJson(view));
    },
  });
