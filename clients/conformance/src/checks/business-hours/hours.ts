import type { Company } from '../../world/company.ts';

export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** A number of its own, whose hours are changed with the flow outside of them. */
export async function numberOf(company: Company) {
  const { id, number, business_hours: before } = await company.number();
  const path = `/business_numbers/${id}`;
  const put = (businessHours: unknown, flow: object = { type: null }) =>
    company.put(`${path}/outside_business_hours_config`, { ...flow, business_hours: businessHours });
  return { path, number, before, put };
}

/** The same entry for every day. */
export const everyDay = (entry: object) => DAYS.map((_, day_of_week) => ({ day_of_week, ...entry }));
