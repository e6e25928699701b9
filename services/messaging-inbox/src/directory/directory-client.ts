import { notFound, Refused } from '@parley/errors';
import { isId } from '@parley/ids';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { Channel } from '@parley/rpc';

export interface Company {
  readonly country: string;
  readonly messagingEnabled: boolean;
}

/** Companies and employees from directory, without a cache. */
export interface Directory {
  /** Refuses an unknown company with not_found. */
  company(companyId: string): Promise<Company>;
  /** The names of those of the given who are employees of the company. */
  employeeNames(companyId: string, employeeIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export function directoryClient(channel: Channel): Directory {
  const companies = channel.client(CompanyLookupService);
  const directory = channel.client(EmployeeDirectoryService);
  return {
    async company(companyId) {
      const { company } = await companies.lookUpCompany({ id: companyId });
      if (!company) throw new Refused(notFound);
      return { country: company.country, messagingEnabled: company.messagingEnabled };
    },
    async employeeNames(companyId, employeeIds) {
      const possible = [...new Set(employeeIds)].filter((id) => isId('emp', id));
      if (possible.length === 0) return new Map();
      const { employees } = await directory.checkEmployees({ companyId, employeeIds: possible });
      return new Map(employees.map(({ id, name }) => [id, name]));
    },
  };
}
