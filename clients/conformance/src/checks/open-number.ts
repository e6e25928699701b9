import type { Company } from '../world/company.ts';
import { prepared } from '../world/prepared.ts';

/** A business number whose calls take `incoming_call_config` at every time of the day. */
export async function openNumber(company: Company, config: object): Promise<any> {
  const { id } = await company.number({ incoming_call_config: config });
  return await prepared(company.put(`/business_numbers/${id}/outside_business_hours_config`, { type: null }), 200);
}
