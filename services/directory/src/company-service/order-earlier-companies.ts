import type { Employees } from '../employees/employee-store.ts';
import { OLDEST_FIRST } from '../employees/employee-store.ts';
import { NEWEST_FIRST } from '../newest-first/newest-first.ts';
import { addListFields } from '../companies/company.ts';
import type { Companies } from '../companies/company-store.ts';

/**
 * Gives companies of earlier versions a place in the list: a company is as old as its first employee. Any number of processes may do
 * it at once, and after a crash the next start continues. Where every company has its place it changes nothing.
 */
export async function orderEarlierCompanies(companies: Companies, employees: Employees): Promise<void> {
  const unordered = companies.acrossCompanies.find(
    { createdOrder: { $exists: false } },
    NEWEST_FIRST,
    undefined,
    'newest',
  );
  for await (const { id } of unordered) {
    const createdOrder = await firstHired(employees, id);
    await companies.of(id).changeIfExists(id, (current) => addListFields(current, createdOrder));
  }
}

/** Microseconds, the unit of `createdOrder`. */
async function firstHired(employees: Employees, companyId: string): Promise<number> {
  for await (const { createdAt } of employees.of(companyId).find({}, OLDEST_FIRST, 1))
    return createdAt.getTime() * 1000;
  return 0;
}
