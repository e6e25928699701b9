import { decodeMessage } from '@parley/events';
import { newId } from '@parley/secrets';
import { CompanyAdminService } from '@parley/proto/directory/v1/companies_pb';
import type { Employee } from '@parley/proto/directory/v1/employees_pb';
import type { Channel, EmployeePrincipal } from '@parley/rpc';
import {
  asEmployee,
  asOperator,
  type FakeContract,
  type FakeNumbersRouting,
  fakeNumbersRouting,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

export interface TestCompany {
  readonly id: string;
  readonly owner: { as: EmployeePrincipal };
}

export interface TestDirectory extends ServiceForTest {
  readonly gateway: Channel;
  readonly numbersRouting: FakeNumbersRouting;
  /** The published events of employees, in order. */
  readonly published: readonly { type: string; employee: Employee | undefined }[];
  createCompany(): Promise<TestCompany>;
  /** Publishes identity's event that an employee has signed in. */
  signIn(companyId: string, employeeId: string): Promise<void>;
}

export async function startDirectory(
  settings: Record<string, string> = {},
  peers: Readonly<Record<string, readonly FakeContract[]>> = {},
): Promise<TestDirectory> {
  const numbersRouting = fakeNumbersRouting();
  const directory = await startServiceForTest(service, {
    peers: { 'numbers-routing': numbersRouting.contracts, ...peers },
    follows: ['identity'],
    settings,
  });
  const gateway = directory.as('gateway');
  return {
    ...directory,
    gateway,
    numbersRouting,
    published: await directory.record('directory.employee.*', ({ type, data }) => ({
      type,
      employee: decodeMessage('directory.employee.updated', data).employee,
    })),
    async createCompany() {
      const request = { name: 'Acme', country: 'DK', ownerName: 'Olivia', ownerEmail: `${newId('o')}@example.com` };
      const { company, owner } = await gateway.client(CompanyAdminService).createCompany(request, asOperator);
      const id = company?.id ?? '';
      return { id, owner: asEmployee(id, owner?.id) };
    },
    async signIn(companyId, employeeId) {
      const about = { companyId, aggregateId: newId('ses') };
      await directory.publish('identity.employee.signed_in', { employeeId, sessionId: 's' }, about);
    },
  };
}
