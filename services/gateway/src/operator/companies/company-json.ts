import type { Company } from '@parley/proto/directory/v1/companies_pb';
import { z } from 'zod';
import { companyJson, companySchema } from '../../routes/company/company-json.ts';

/** A company as the operator sees it: what partners see, and the messaging flag. */
export const operatorCompanySchema = companySchema
  .extend({ messaging_enabled: z.boolean() })
  .meta({ id: 'OperatorCompany' });

export function operatorCompanyJson(company: Company): z.output<typeof operatorCompanySchema> {
  return { ...companyJson(company), messaging_enabled: company.messagingEnabled };
}
