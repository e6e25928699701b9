import { notFound, Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import { createRpcServer, createVerifier, services } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';

/** Directory's part of the contract, played with what a test says. */
export interface TestDirectory {
  /** Founds a company; its owner is the first of its employees. */
  found(company?: { messagingEnabled?: boolean }): { companyId: string; ownerId: string };
  hire(companyId: string, employee?: { leaving?: boolean }): string;
  /** From now on the employee is on the way out. */
  leave(employeeId: string): void;
  setMessaging(companyId: string, enabled: boolean): void;
  /** Is run while employees are being checked. */
  onCheck: (() => Promise<void>) | undefined;
  stop(): Promise<void>;
}

export async function startTestDirectory(
  address: string,
  trusted: Record<string, string>,
  telemetry: Telemetry,
): Promise<TestDirectory> {
  const companies = new Map<string, { messagingEnabled: boolean; ownerId: string }>();
  const employees = new Map<string, { companyId: string; leaving: boolean }>();
  const server = createRpcServer({ telemetry, verify: createVerifier(trusted), ready: async () => true });
  server.add(CompanyLookupService, services('numbers-routing'), {
    async lookUpCompany({ id }) {
      const company = companies.get(id);
      if (!company) throw new Refused(notFound);
      const { messagingEnabled, ownerId } = company;
      return { company: { id, name: 'Test', country: 'DK', messagingEnabled }, ownerId };
    },
  });
  server.add(EmployeeDirectoryService, services('numbers-routing'), {
    async checkEmployees({ companyId, employeeIds }) {
      await directory.onCheck?.();
      const own = employeeIds.filter((id) => employees.get(id)?.companyId === companyId);
      return {
        employees: own
          .filter((id) => !employees.get(id)?.leaving)
          .map((id) => ({ id, companyId, name: `Name of ${id}` })),
        unknownIds: employeeIds.filter((id) => !own.includes(id)),
        leavingIds: own.filter((id) => employees.get(id)?.leaving),
      };
    },
    async recordSignIn() {
      throw new Refused(notFound);
    },
    async *listCompanyEmployees() {},
  });
  await server.listen(address);
  const directory: TestDirectory = {
    onCheck: undefined,
    found({ messagingEnabled = false } = {}) {
      const companyId = newId('com');
      const ownerId = directory.hire(companyId);
      companies.set(companyId, { messagingEnabled, ownerId });
      return { companyId, ownerId };
    },
    hire(companyId, { leaving = false } = {}) {
      const id = newId('emp');
      employees.set(id, { companyId, leaving });
      return id;
    },
    leave(employeeId) {
      const known = employees.get(employeeId);
      if (known) known.leaving = true;
    },
    setMessaging(companyId, messagingEnabled) {
      const company = companies.get(companyId);
      if (company) company.messagingEnabled = messagingEnabled;
    },
    stop: () => server.close(1000),
  };
  return directory;
}
