import { answer, route } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers.ts';
import { companyJson, companySchema } from './company-json.ts';

export const getCompany = ({ companies }: Clients) =>
  route<EmployeePrincipal>()({
    method: 'get',
    path: '/company',
    tag: 'Company',
    summary: 'Read the company',
    answers: { 200: companySchema },
    async handle({ context }) {
      const { company } = await companies.getCompany({}, { as: context });
      return answer(200, companyJson(company!));
    },
  });
