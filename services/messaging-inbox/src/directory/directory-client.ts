import { notFound, Refused } from '@parley/errors';
import { isId } from '@parley/secrets';
import type { CallingRules } from '@parley/phone-numbers';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { Channel } from '@parley/rpc';
import type { CachedAnswers } from '@parley/events';

/** With the destinations that its texts may have: those of its calls. */
export interface Company extends CallingRules {
  readonly messagingEnabled: boolean;
}

/** Companies and employees from directory. */
export interface Directory {
  /** Refuses an unknown company with not_found. */
  company(companyId: string): Promise<Company>;
  /** The same for a company without texting: its texts and snippets are not found. */
  requireTexting(companyId: string): Promise<Company>;
  /** The names of those of the given who are employees of the company, deactivated ones included. */
  employeeNames(companyId: string, employeeIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The same of active ones only: those to whom threads are assigned and who are notified. */
  activeNames(companyId: string, employeeIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** All active ones of the company. */
  employees(companyId: string): Promise<{ readonly id: string; readonly name: string }[]>;
}

export function directoryClient(channel: Channel, answers: CachedAnswers): Directory {
  const companies = channel.client(CompanyLookupService);
  const directory = channel.client(EmployeeDirectoryService);
  const company: Directory['company'] = (companyId) =>
    answers.get(companyId, 'company', async () => {
      const found = (await companies.lookUpCompany({ id: companyId })).company;
      if (!found) throw new Refused(notFound);
      const { country, destinations = { countries: [country], premiumRate: false, satellite: false } } = found;
      // Nothing is sent for a company that is suspended.
      return { country, destinations, messagingEnabled: found.messagingEnabled && !found.suspended };
    });
  const known = (companyId: string, employeeIds: readonly string[]) =>
    answers.getMany(
      companyId,
      'employee',
      employeeIds.filter((id) => isId('emp', id)),
      async (missing) => {
        const { employees } = await directory.checkEmployees({ companyId, employeeIds: [...missing] });
        return new Map(
          employees.map(({ id, name, deactivatedAt }) => [id, { name, isActive: deactivatedAt === undefined }]),
        );
      },
    );
  return {
    company,
    async requireTexting(companyId) {
      const found = await company(companyId);
      if (!found.messagingEnabled) throw new Refused(notFound);
      return found;
    },
    async employees(companyId) {
      const all: { id: string; name: string }[] = [];
      for await (const part of directory.listCompanyEmployees({ companyId }))
        for (const { id, name, deactivatedAt } of part.employees) if (!deactivatedAt) all.push({ id, name });
      return all;
    },
    employeeNames: async (companyId, employeeIds) =>
      new Map([...(await known(companyId, employeeIds))].map(([id, { name }]) => [id, name])),
    async activeNames(companyId, employeeIds) {
      const found = [...(await known(companyId, employeeIds))];
      return new Map(found.flatMap(([id, { name, isActive }]) => (isActive ? [[id, name]] : [])));
    },
  };
}
