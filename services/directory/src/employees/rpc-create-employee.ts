import { newId } from '@parley/ids';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { createEmployee } from './employee.ts';
import { employeeToProto } from './employee-proto.ts';
import type { EmployeeDeps } from './employee-deps.ts';

export const createEmployeeRpc =
  ({ companies, clock, cap }: EmployeeDeps): Handler<typeof EmployeeService.method.createEmployee, EmployeePrincipal> =>
  async ({ name, email, phone = null }, { principal: { companyId } }) => {
    const country = await companies.countryOf(companyId);
    const identity = { id: newId('emp'), companyId };
    const decision = createEmployee(identity, { name, email, phone, invited: true }, country, clock.now());
    return { employee: employeeToProto(await cap.hire(companyId, decision)) };
  };
