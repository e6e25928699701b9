import { endpoint, json } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { pageCursor, pageLimit } from '../../routes/shared/page-query.ts';
import { operatorCompanyJson, operatorCompanySchema } from './company-json.ts';

export const listCompanies = ({ companyAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'get',
    path: '/companies',
    tag: 'Companies',
    summary: 'List companies',
    description: 'Newest first, in pages.',
    query: z.object({
      query: z.string().max(255).optional().describe('Parts of words of the name, all of which it has'),
      limit: pageLimit,
      cursor: pageCursor,
    }),
    responses: { 200: z.object({ companies: z.array(operatorCompanySchema), next_cursor: z.string().nullable() }) },
    errors: [422],
    async handle({ query: { query = '', limit, cursor = '' }, context }) {
      const page = await companyAdmin.listCompanies({ query, limit, cursor }, { as: context });
      return json(200, { companies: page.companies.map(operatorCompanyJson), next_cursor: page.nextCursor || null });
    },
  });

export const getCompany = ({ companyAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'get',
    path: '/companies/:id',
    tag: 'Companies',
    summary: 'Retrieve a company',
    responses: { 200: operatorCompanySchema },
    errors: [404],
    async handle({ params, context }) {
      const { company } = await companyAdmin.getCompanyByOperator({ id: params.id }, { as: context });
      return json(200, operatorCompanyJson(company!));
    },
  });
