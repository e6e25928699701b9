import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { employeeToProto } from './employee-proto.ts';
import { OLDEST_FIRST } from './employee-store.ts';
import type { EmployeeDeps } from './employee-deps.ts';

export const listEmployeesRpc = ({
  employees,
}: EmployeeDeps): Handler<typeof EmployeeService.method.listEmployees, EmployeePrincipal> =>
  async function* (_request, { principal: { companyId } }) {
    for await (const chunk of employees.of(companyId).findInChunks({}, OLDEST_FIRST)) {
      yield { employees: chunk.map(employeeToProto) };
    }
  };
