import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { mayActAsOwner } from '../employees/employee-rules.ts';
import { boundedText, nameText } from '../shared/bounded-text.ts';
import { textChange } from '../shared/text-change.ts';
import { companyJson, companySchema } from './company-json.ts';

export const companyEndpoints = (clients: Clients) => [getCompany(clients), updateCompany(clients)];

const getCompany = ({ companies }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'GET /company',
    sdkMethod: 'company.get',
    summary: 'Read the company',
    description: 'The company of the credential, with its address and the settings that apply to all employees.',
    responses: { 200: companySchema },
    tools: {
      get_company: {
        title: 'Get the company',
        description:
          'The company account: name, address, country. Use it to find out which company the employee works for.',
      },
    },
    async handle({ context }) {
      const { company } = await companies.getCompany({}, { as: context });
      return json(200, companyJson(company!));
    },
  });

const text = nameText.nullable().optional();

const updateCompany = ({ companies }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    permitsFields: (caller, _params, fields) => !('requires_two_factor' in fields) || mayActAsOwner(caller),
    route: 'PATCH /company',
    sdkMethod: 'company.update',
    summary: 'Update the company',
    description:
      'Omitted fields keep their values; null clears a field. The country must be supported. Only owners change `requires_two_factor`, and not with an OAuth token.',
    body: z.object({
      address: text,
      city: text,
      state: text,
      zip: text,
      country: boundedText(2, 'is not a supported country')
        .optional()
        .describe('ISO 3166-1 alpha-2: the EU and EEA, GB, CH, US, CA, AU, NZ'),
      vat_id: text,
      requires_two_factor: z.boolean().optional(),
      supervision_enabled: z.boolean().optional(),
    }),
    responses: { 200: companySchema },
    errors: [422],
    async handle({ body, context }) {
      const { company } = await companies.updateCompany(
        {
          address: textChange(body.address),
          city: textChange(body.city),
          state: textChange(body.state),
          zip: textChange(body.zip),
          country: body.country,
          vatId: textChange(body.vat_id),
          requiresTwoFactor: body.requires_two_factor,
          supervisionEnabled: body.supervision_enabled,
        },
        { as: context },
      );
      return json(200, companyJson(company!));
    },
  });
