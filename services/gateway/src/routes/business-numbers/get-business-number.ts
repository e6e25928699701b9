import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';

export const getBusinessNumber = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/business_numbers/:id',
    tag: 'Business numbers',
    summary: 'Read a business number',
    responses: { 200: businessNumberSchema },
    errors: [404],
    async handle({ params, context }) {
      const { view } = await businessNumbers.getBusinessNumber({ id: params.id }, { as: context });
      return json(200, businessNumberJson(view));
    },
  });
