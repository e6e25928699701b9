import type { Channel } from '@parley/rpc';
import { waitUntil } from '@parley/testkit';
import {
  asOperator,
  employeeMessage,
  type FakeDirectory,
  fakeDirectory,
  type FakeEmployee,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

export type TestEmployee = FakeEmployee;

/** Identity and a fake directory, which publishes what happens to its employees. */
export interface TestIdentity extends ServiceForTest {
  readonly directory: FakeDirectory;
  /** A channel of the gateway. */
  readonly channel: Channel;
  readonly operator: typeof asOperator;
  /** Creates an employee, or changes one. */
  hire(employee?: Partial<TestEmployee>): Promise<TestEmployee>;
  /** Creates a company; its owner. */
  hireOwner(): Promise<TestEmployee>;
  dismiss(employee: TestEmployee): Promise<void>;
  requireTwoFactor(companyId: string, requiresTwoFactor: boolean): Promise<void>;
  /** The clients of a second process. */
  secondReplica(): Promise<Channel>;
}

export async function startIdentity(settings: Record<string, string> = {}): Promise<TestIdentity> {
  const directory = fakeDirectory();
  const identity = await startServiceForTest(service, {
    peers: { directory: directory.contracts },
    follows: ['directory', 'call-control', 'assistant'],
    settings: { PUBLIC_URL: 'http://127.0.0.1:8080', TEST_CLOCK: 'on', ...settings },
  });
  const { db, publish } = identity;
  const known = new Set<string>();
  const announce = (fact: 'created' | 'updated' | 'deleted', employee: TestEmployee) => {
    const about = { companyId: employee.companyId, aggregateId: employee.id };
    return publish(`directory.employee.${fact}`, { employee: employeeMessage(employee) }, about);
  };
  return {
    ...identity,
    directory,
    channel: identity.as('gateway'),
    operator: asOperator,
    async hire(details = {}) {
      const employee = directory.addEmployee(details);
      await announce(known.has(employee.id) ? 'updated' : 'created', employee);
      known.add(employee.id);
      return employee;
    },
    async hireOwner() {
      const owner = directory.employee(directory.createCompany().ownerId);
      await announce('created', owner);
      known.add(owner.id);
      return owner;
    },
    async dismiss(employee) {
      directory.deleteEmployee(employee.id);
      await announce('deleted', employee);
    },
    async requireTwoFactor(companyId, requiresTwoFactor) {
      const company = { id: companyId, name: 'Acme', country: 'DK', requiresTwoFactor };
      await publish('directory.company.updated', { company }, { companyId, aggregateId: companyId });
      const rules = db.collection<{ _id: string; requiresTwoFactor: boolean }>('company_rules');
      const applied = async () => (await rules.findOne({ _id: companyId }))?.requiresTwoFactor === requiresTwoFactor;
      await waitUntil(applied, { what: "the company's rule" });
    },
    secondReplica: async () => (await identity.replica()).as('gateway'),
  };
}
