import type { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { isBeingDeleted } from './employee.ts';
import { employeeToProto } from './employee-proto.ts';
import type { EmployeeDeps } from './employee-deps.ts';

export const checkEmployeesRpc =
  ({
    employees,
    machineClock,
  }: EmployeeDeps): Handler<typeof EmployeeDirectoryService.method.checkEmployees, ServicePrincipal> =>
  async ({ companyId, employeeIds }) => {
    const ids = [...new Set(employeeIds)];
    const known = await employees.byIds(companyId, ids);
    const now = machineClock.now();
    const found = ids.flatMap((id) => known.get(id) ?? []);
    return {
      employees: found.filter((one) => !isBeingDeleted(one, now)).map((one) => employeeToProto(one)),
      unknownIds: ids.filter((id) => !known.has(id)),
      leavingIds: found.filter((one) => isBeingDeleted(one, now)).map(({ id }) => id),
    };
  };
