import type { Company } from '@parley/proto/directory/v1/companies_pb';
import { z } from 'zod';
import { companyJson, companySchema } from '../../routes/company/company-json.ts';

const limitsSchema = z.object({
  simultaneous_calls: z.int(),
  calls_per_minute: z.int(),
  employee_simultaneous_calls: z.int(),
  employee_calls_per_minute: z.int(),
});

const destinationsSchema = z.object({
  countries: z.array(z.string()),
  premium_rate: z.boolean(),
  satellite: z.boolean(),
});

/** A company as the operator sees it: what partners see, the messaging flag, and what its calls may be. */
export const operatorCompanySchema = companySchema
  .extend({
    messaging_enabled: z.boolean(),
    suspended: z.boolean(),
    limits: limitsSchema,
    destinations: destinationsSchema,
  })
  .meta({ id: 'OperatorCompany' });

export function operatorCompanyJson(company: Company): z.output<typeof operatorCompanySchema> {
  const { limits, destinations } = company;
  return {
    ...companyJson(company),
    messaging_enabled: company.messagingEnabled,
    suspended: company.suspended,
    limits: {
      simultaneous_calls: limits?.simultaneousCalls ?? 0,
      calls_per_minute: limits?.callsPerMinute ?? 0,
      employee_simultaneous_calls: limits?.employeeSimultaneousCalls ?? 0,
      employee_calls_per_minute: limits?.employeeCallsPerMinute ?? 0,
    },
    destinations: {
      countries: destinations?.countries ?? [],
      premium_rate: destinations?.premiumRate ?? false,
      satellite: destinations?.satellite ?? false,
    },
  };
}
