import { json, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { operatorCompanyJson, operatorCompanySchema } from './company-json.ts';
import { nameText } from '../../routes/shared/bounded-text.ts';

export const updateCompany = ({ companyAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    method: 'patch',
    path: '/companies/:id',
    tag: 'Companies',
    summary: 'Update a company',
    body: z.object({ name: nameText.optional(), messaging_enabled: z.boolean().optional() }),
    responses: { 200: operatorCompanySchema },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const change = { id: params.id, name: body.name, messagingEnabled: body.messaging_enabled };
      const { company } = await companyAdmin.updateCompanyByOperator(change, { as: context });
      return json(200, operatorCompanyJson(company!));
    },
  });
