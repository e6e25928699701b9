import type { Company } from '@parley/proto/directory/v1/companies_pb';
import { z } from 'zod';

/** A company as partners see it. */
export const companySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    address: z.string().nullable(),
    city: z.string().nullable(),
    state: z.string().nullable(),
    zip: z.string().nullable(),
    country: z.string().describe('ISO 3166-1 alpha-2'),
    vat_id: z.string().nullable(),
    requires_two_factor: z.boolean(),
    supervision_enabled: z.boolean().describe('Whether admins may listen to calls of their coworkers'),
  })
  .meta({ id: 'Company' });

export function companyJson(company: Company): z.output<typeof companySchema> {
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
    supervision_enabled: company.supervisionEnabled,
  };
}
