import { answer, route } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';

export const getBusinessNumber = ({ businessNumbers }: Clients) =>
  route<EmployeePrincipal>()({
    method: 'get',
    path: '/business_numbers/:id',
    tag: 'Business numbers',
    summary: 'Read a business number',
    answers: { 200: businessNumberSchema },
    refuses: [404],
    async handle({ params, context }) {
      const { view } = await businessNumbers.getBusinessNumber({ id: params.id }, { as: context });
      return answer(200, businessNumberJson(view));
    },
  });
