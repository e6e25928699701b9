import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { updateEmployee } from './employee.ts';
import { changeFromProto, employeeToProto } from './employee-proto.ts';
import type { EmployeeDeps } from './employee-deps.ts';

export const updateEmployeeRpc =
  ({
    employees,
    companies,
    clock,
  }: EmployeeDeps): Handler<typeof EmployeeService.method.updateEmployee, EmployeePrincipal> =>
  async (request, { principal: { companyId } }) => {
    const country = await companies.countryOf(companyId);
    const change = changeFromProto(request);
    const employee = await employees
      .of(companyId)
      .change(request.id, (current) => updateEmployee(current, change, country, clock.now()));
    return { employee: employeeToProto(employee) };
  };
