import { notFound, Refused } from '@parley/errors';
import { isId } from '@parley/secrets';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { CallingRules } from '@parley/phone-numbers';
import type { Channel } from '@parley/rpc';

/** Companies and employees from directory. */
export type Directory = ReturnType<typeof directoryClient>;

export function directoryClient(channel: Channel) {
  const companies = channel.client(CompanyLookupService);
  const employees = channel.client(EmployeeDirectoryService);
  return {
    /** Which numbers the company may call. Refuses an unknown company with not_found. */
    async callingRules(companyId: string): Promise<CallingRules> {
      const { company } = await companies.lookUpCompany({ id: companyId });
      if (!company) throw new Refused(notFound);
      const { country, destinations } = company;
      return { country, destinations: destinations ?? { countries: [country], premiumRate: false, satellite: false } };
    },
    /** Those of the given who are not employees of the company, or are just being deleted. */
    async unknownEmployees(companyId: string, employeeIds: readonly string[]): Promise<ReadonlySet<string>> {
      const possible = [...new Set(employeeIds)].filter((id) => isId('emp', id));
      const known =
        possible.length > 0 ? await employees.checkEmployees({ companyId, employeeIds: possible }) : undefined;
      const ids = new Set(known?.employees.map(({ id }) => id));
      return new Set(employeeIds.filter((id) => !ids.has(id)));
    },
    /** Those of the given who were removed; not those whose deletion has only begun. */
    async removedEmployees(companyId: string, employeeIds: readonly string[]): Promise<readonly string[]> {
      if (employeeIds.length === 0) return [];
      return (await employees.checkEmployees({ companyId, employeeIds: [...employeeIds] })).unknownIds;
    },
  };
}
