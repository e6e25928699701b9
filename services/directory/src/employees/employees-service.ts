import { notFound, Refused } from '@parley/errors';
import { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { operatorsOr, type RpcServer } from '@parley/rpc';
import { employeeToProto } from './employee-proto.ts';
import type { Employees } from './employee-store.ts';

/** Every RPC of the contract. The operator and the services named here name an employee without naming the company. */
export function addEmployeeLookupService(server: RpcServer, { employees }: { employees: Employees }): void {
  server.add(EmployeeLookupService, operatorsOr('identity', 'numbers-routing'), {
    async getEmployee({ id }) {
      const employee = await employees.acrossCompanies.get(id);
      if (!employee) throw new Refused(notFound);
      return { employee: employeeToProto(employee) };
    },
  });
}
