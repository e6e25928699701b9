import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { companyJson, companySchema } from './company-json.ts';
import { reads } from '../shared/tool-annotations.ts';

export const getCompany = ({ companies }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/company',
    tag: 'Company',
    summary: 'Read the company',
    responses: { 200: companySchema },
    tools: [
      {
        name: 'get_company',
        title: 'Get the company',
        description:
          'The company account: name, address, country. Use it to find out which company the employee works for.',
        annotations: reads,
      },
    ],
    async handle({ context }) {
      const { company } = await companies.getCompany({}, { as: context });
      return json(200, companyJson(company!));
    },
  });
