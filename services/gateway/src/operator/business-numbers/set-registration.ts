import { json, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { registrationStatusOf, registrationStatusSchema } from '../../routes/business-numbers/business-number-json.ts';
import { operatorNumberJson, operatorNumberSchema } from './business-number-json.ts';

export const setRegistration = ({ businessNumberAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'put',
    path: '/business_numbers/:id/registration',
    tag: 'Business numbers',
    summary: 'Move a registration',
    description: 'pending to submitted or failed; submitted to approved or rejected; rejected or failed to pending.',
    body: z.object({ status: registrationStatusSchema, reason: z.string().max(1000).nullish() }),
    responses: { 200: operatorNumberSchema },
    errors: { 404: 'not_found', 422: 'validation_failed, invalid_transition' },
    async handle({ params, body, context }) {
      const request = { id: params.id, status: registrationStatusOf(body.status), reason: body.reason ?? undefined };
      const { view } = await businessNumberAdmin.setRegistration(request, { as: context });
      return json(200, operatorNumberJson(view));
    },
  });
