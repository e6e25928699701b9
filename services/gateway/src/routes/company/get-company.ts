import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { companyJson, companySchema } from './company-json.ts';

export const getCompany = ({ companies }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'get',
    path: '/company',
    tag: 'Company',
    summary: 'Read the company',
    responses: { 200: companySchema },
    async handle({ context }) {
      const { company } = await companies.getCompany({}, { as: context });
      return json(200, companyJson(company!));
    },
  });
