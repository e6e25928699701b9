import { boundedArray, endpoint, json } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { operatorCompanyJson, operatorCompanySchema } from './company-json.ts';
import { boundedText, nameText } from '../../routes/shared/bounded-text.ts';

/** The service checks the exact bounds. */
const limit = z.int().min(0).max(10_000).optional();
const limitsChange = z.object({
  simultaneous_calls: limit,
  calls_per_minute: limit,
  employee_simultaneous_calls: limit,
  employee_calls_per_minute: limit,
});
const destinationsChange = z.object({
  countries: boundedArray(boundedText(2, 'is not the code of a country'), 300).optional(),
  premium_rate: z.boolean().optional(),
  satellite: z.boolean().optional(),
});

export const updateCompany = ({ companyAdmin }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'patch',
    path: '/companies/:id',
    tag: 'Companies',
    summary: 'Update a company',
    description:
      'Omitted fields keep their values, also within `limits` and `destinations`. While a company is suspended, its credentials are refused, calls to it are rejected and its webhooks wait; calls in progress end. Texts to it are kept.',
    body: z.object({
      name: nameText.optional(),
      messaging_enabled: z.boolean().optional(),
      suspended: z.boolean().optional(),
      limits: limitsChange.optional(),
      destinations: destinationsChange.optional(),
    }),
    responses: { 200: operatorCompanySchema },
    errors: [404, 409, 422],
    async handle({ params, body, context }) {
      const { limits, destinations } = body;
      const change = {
        id: params.id,
        name: body.name,
        messagingEnabled: body.messaging_enabled,
        suspended: body.suspended,
        ...(limits && {
          limits: {
            simultaneousCalls: limits.simultaneous_calls,
            callsPerMinute: limits.calls_per_minute,
            employeeSimultaneousCalls: limits.employee_simultaneous_calls,
            employeeCallsPerMinute: limits.employee_calls_per_minute,
          },
        }),
        ...(destinations && {
          destinations: {
            ...(destinations.countries && { countries: { codes: destinations.countries } }),
            premiumRate: destinations.premium_rate,
            satellite: destinations.satellite,
          },
        }),
      };
      const { company } = await companyAdmin.updateCompanyByOperator(change, { as: context });
      return json(200, operatorCompanyJson(company!));
    },
  });
