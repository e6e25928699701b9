import { decodeMessage } from '@parley/events';
import type { EmployeeStatusChanged } from '@parley/proto/call_control/v1/presence_events_pb';
import { EmployeeCopyService, EmployeePresenceService } from '@parley/proto/call_control/v1/presence_pb';
import { SoftphoneSessionService } from '@parley/proto/call_control/v1/softphone_sessions_pb';
import type { EmployeePrincipal, RpcClient } from '@parley/rpc';
import {
  asEmployee,
  employeeMessage,
  type FakeDirectory,
  fakeDirectory,
  type FakeEmployee,
  type FakeNumbersRouting,
  fakeNumbersRouting,
  type Replica,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

export type TestEmployee = FakeEmployee;

/** The gateway's clients of one replica. */
export interface PresenceClients {
  readonly presence: RpcClient<typeof EmployeePresenceService>;
  readonly softphoneSessions: RpcClient<typeof SoftphoneSessionService>;
}

export interface TestCallControl extends ServiceForTest, PresenceClients {
  readonly directory: FakeDirectory;
  readonly numbersRouting: FakeNumbersRouting;
  /** The published events about employees' status, in order. */
  readonly published: readonly EmployeeStatusChanged[];
  /** Directory publishes an event about an employee. */
  announce(fact: 'created' | 'updated' | 'deleted', employee: TestEmployee): Promise<void>;
  /** Directory has call-control read an employee, which needs no broker. */
  refresh(employee: TestEmployee): Promise<void>;
  secondReplica(): Promise<PresenceClients>;
}

export async function startCallControl(settings: Record<string, string> = {}): Promise<TestCallControl> {
  const [directory, numbersRouting] = [fakeDirectory(), fakeNumbersRouting()];
  const callControl = await startServiceForTest(service, {
    peers: { directory: directory.contracts, 'numbers-routing': numbersRouting.contracts },
    follows: ['directory', 'identity'],
    settings,
  });
  return {
    ...callControl,
    ...clientsOf(callControl),
    directory,
    numbersRouting,
    published: await callControl.record('call-control.employee_status.changed', ({ data }) =>
      decodeMessage('call-control.employee_status.changed', data),
    ),
    async announce(fact, employee) {
      if (fact === 'deleted') directory.deleteEmployee(employee.id);
      const about = { companyId: employee.companyId, aggregateId: employee.id };
      await callControl.publish(`directory.employee.${fact}`, { employee: employeeMessage(employee) }, about);
    },
    async refresh({ id: employeeId }) {
      await callControl.as('directory').client(EmployeeCopyService).refreshEmployeeCopy({ employeeId });
    },
    secondReplica: async () => clientsOf(await callControl.replica()),
  };
}

/** The employee's own call options. */
export function as({ companyId, id }: Pick<TestEmployee, 'companyId' | 'id'>): { as: EmployeePrincipal } {
  return asEmployee(companyId, id, 'key_1');
}

function clientsOf(replica: Replica): PresenceClients {
  const gateway = replica.as('gateway');
  return {
    presence: gateway.client(EmployeePresenceService),
    softphoneSessions: gateway.client(SoftphoneSessionService),
  };
}
