import { notFound, Refused } from '@parley/errors';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { employeeToProto } from './employee-proto.ts';
import type { EmployeeDeps } from './employee-deps.ts';

export const readEmployeeRpc =
  ({ employees, presences }: EmployeeDeps): Handler<typeof EmployeeService.method.readEmployee, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId } }) => {
    const [employee, presenceOf] = await Promise.all([employees.of(companyId).get(id), presences.now(companyId, [id])]);
    if (!employee) throw new Refused(notFound);
    return { employee: employeeToProto(employee, presenceOf(id)) };
  };
