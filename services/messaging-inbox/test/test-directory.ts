import { notFound, Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import { createRpcServer, createVerifier, services } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';

/** Directory's part of the contract, played with what a test says. */
export interface TestDirectory {
  createCompany(company?: { messagingEnabled?: boolean; country?: string }): { companyId: string; employeeId: string };
  addEmployee(companyId: string, name?: string): string;
  renameEmployee(employeeId: string, name: string): void;
  deleteEmployee(employeeId: string): void;
  setMessaging(companyId: string, enabled: boolean): void;
  stop(): Promise<void>;
}

export async function startTestDirectory(
  address: string,
  trusted: Record<string, string>,
  telemetry: Telemetry,
): Promise<TestDirectory> {
  const companies = new Map<string, { messagingEnabled: boolean; country: string }>();
  const employees = new Map<string, { companyId: string; name: string }>();
  const server = createRpcServer({ telemetry, verify: createVerifier(trusted), ready: async () => true });
  server.add(CompanyLookupService, services('messaging-inbox'), {
    async lookUpCompany({ id }) {
      const company = companies.get(id);
      if (!company) throw new Refused(notFound);
      return { company: { id, name: 'Test', ...company }, ownerId: '' };
    },
  });
  server.add(EmployeeDirectoryService, services('messaging-inbox'), {
    async checkEmployees({ companyId, employeeIds }) {
      const own = employeeIds.filter((id) => employees.get(id)?.companyId === companyId);
      return { employees: own.map((id) => ({ id, companyId, name: employees.get(id)?.name })) };
    },
    async recordSignIn() {
      throw new Refused(notFound);
    },
    async *listCompanyEmployees() {},
  });
  await server.listen(address);
  const directory: TestDirectory = {
    createCompany({ messagingEnabled = true, country = 'DK' } = {}) {
      const companyId = newId('com');
      companies.set(companyId, { messagingEnabled, country });
      return { companyId, employeeId: directory.addEmployee(companyId) };
    },
    addEmployee(companyId, name = 'Ada') {
      const id = newId('emp');
      employees.set(id, { companyId, name });
      return id;
    },
    renameEmployee(employeeId, name) {
      const employee = employees.get(employeeId);
      if (employee) employees.set(employeeId, { ...employee, name });
    },
    deleteEmployee: (employeeId) => void employees.delete(employeeId),
    setMessaging(companyId, messagingEnabled) {
      const company = companies.get(companyId);
      if (company) companies.set(companyId, { ...company, messagingEnabled });
    },
    stop: () => server.close(1000),
  };
  return directory;
}
