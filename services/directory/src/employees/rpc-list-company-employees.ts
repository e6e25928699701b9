import type { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { employeeToProto } from './employee-proto.ts';
import { OLDEST_FIRST } from './employee-store.ts';
import type { EmployeeDeps } from './employee-deps.ts';

export const listCompanyEmployeesRpc = ({
  employees,
}: EmployeeDeps): Handler<typeof EmployeeDirectoryService.method.listCompanyEmployees, ServicePrincipal> =>
  async function* ({ companyId }) {
    for await (const chunk of employees.of(companyId).findInChunks({}, OLDEST_FIRST)) {
      yield { employees: chunk.map(employeeToProto) };
    }
  };
