import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';
import { noAnswerConfigBody } from './call-flow-body.ts';

export const setNoAnswerConfig = ({ businessNumbers }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'put',
    path: '/business_numbers/:id/no_answer_config',
    tag: 'Business numbers',
    summary: 'Set what happens when nobody answers',
    description: 'A null type clears it. A flow whose timer is off is kept but does not run.',
    body: noAnswerConfigBody,
    responses: { 200: businessNumberSchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { view } = await businessNumbers.setNoAnswerConfig({ id: params.id, body }, { as: context });
      return json(200, businessNumberJson(view));
    },
  });
