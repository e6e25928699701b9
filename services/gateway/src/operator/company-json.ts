import type { Company } from '@parley/proto/directory/v1/companies_pb';
import { z } from 'zod';

/** A company as the operator sees it: the public fields and the messaging flag. */
export const operatorCompanySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    address: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    zip: z.string().nullable(),
    country: z.string(),
    vat_id: z.string().nullable(),
    requires_two_factor: z.boolean(),
    messaging_enabled: z.boolean(),
  })
  .meta({ id: 'OperatorCompany' });

export function operatorCompanyJson(company: Company): z.output<typeof operatorCompanySchema> {
  return {
    id: company.id,
    name: company.name,
    address: company.address ?? null,
    city: company.city ?? null,
    state: company.state ?? null,
    zip: company.zip ?? null,
    country: company.country,
    vat_id: company.vatId ?? null,
    requires_two_factor: company.requiresTwoFactor,
    messaging_enabled: company.messagingEnabled,
  };
}
