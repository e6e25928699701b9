import { assignRole } from './employee.ts';
import { type Employees, OLDEST_FIRST } from './employee-store.ts';

/**
 * Gives employees from before there were roles one: `owner` to the first of a company, `admin` to the others. The owner comes
 * first, so that after a crash the next start continues; any number of processes may do it at once. Where everybody has a role it changes nothing.
 */
export async function assignEarlierRoles(employees: Employees): Promise<void> {
  const withoutRole = employees.acrossCompanies.find(
    { role: { $exists: false } },
    { companyId: 1, ...OLDEST_FIRST },
    undefined,
    'company_oldest',
  );
  let last = '';
  for await (const { id, companyId } of withoutRole) {
    if (companyId !== last) await assignOwner(employees, companyId);
    last = companyId;
    await employees.of(companyId).changeIfExists(id, (current) => assignRole(current, 'admin'));
  }
}

async function assignOwner(employees: Employees, companyId: string): Promise<void> {
  const own = employees.of(companyId);
  if (await own.findOne({ role: 'owner' })) return;
  for await (const { id } of own.find({}, OLDEST_FIRST, 1))
    await own.changeIfExists(id, (current) => assignRole(current, 'owner'));
}
