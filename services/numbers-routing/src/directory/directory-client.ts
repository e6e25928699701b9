import { notFound, Refused, refusal } from '@parley/errors';
import { isId } from '@parley/secrets';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { type Employee, EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { CallingRules } from '@parley/phone-numbers';
import type { Channel } from '@parley/rpc';

export type CompanyRules = CallingRules & { messagingEnabled: boolean; ownerId: string };

/** Companies and employees from directory, without a cache. */
export type Directory = ReturnType<typeof directoryClient>;

export function directoryClient(channel: Channel) {
  const companies = channel.client(CompanyLookupService);
  const directory = channel.client(EmployeeDirectoryService);

  /** The company's employees; one who is being deleted is not among them. */
  async function current(companyId: string, employeeIds: readonly string[]): Promise<readonly Employee[]> {
    const possible = employeeIds.filter((id) => isId('emp', id));
    if (possible.length === 0) return [];
    const { employees } = await directory.checkEmployees({ companyId, employeeIds: possible });
    return employees;
  }

  async function lookUp(companyId: string): Promise<CompanyRules & { beingDeleted: boolean }> {
    const { company, ownerId } = await companies.lookUpCompany({ id: companyId });
    if (!company) throw new Refused(notFound);
    const { country, messagingEnabled, destinations, beingDeleted } = company;
    const rules = destinations ?? { countries: [country], premiumRate: false, satellite: false };
    return { country, messagingEnabled, ownerId, destinations: rules, beingDeleted };
  }

  return {
    /** Refuses an unknown company with not_found. */
    company: lookUp,
    /** Refuses one that is being deleted, too. */
    async companyToExtend(companyId: string): Promise<CompanyRules> {
      const company = await lookUp(companyId);
      if (company.beingDeleted) throw new Refused(refusal('deletion_in_progress', 'the company is being deleted'));
      return company;
    },
    /** Those of the given who are not employees of the company, or are just being deleted. */
    async unknownEmployees(companyId: string, employeeIds: readonly string[]): Promise<ReadonlySet<string>> {
      const known = new Set((await current(companyId, employeeIds)).map(({ id }) => id));
      return new Set(employeeIds.filter((id) => !known.has(id)));
    },
    /** Those of the given who are employees of the company. */
    async employees(
      companyId: string,
      employeeIds: readonly string[],
    ): Promise<ReadonlyMap<string, Pick<Employee, 'name' | 'invitationPending' | 'deactivatedAt'>>> {
      const known = await current(companyId, employeeIds);
      return new Map(known.map((employee) => [employee.id, employee]));
    },
  };
}
