import { notFound, Refused } from '@parley/errors';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { employeeToProto } from './employee-proto.ts';
import type { EmployeeDeps } from './employee-deps.ts';

export const readEmployeeRpc =
  ({ employees }: EmployeeDeps): Handler<typeof EmployeeService.method.readEmployee, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId } }) => {
    const employee = await employees.of(companyId).get(id);
    if (!employee) throw new Refused(notFound);
    return { employee: employeeToProto(employee) };
  };
