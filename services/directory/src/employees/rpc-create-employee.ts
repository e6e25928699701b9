import { Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import { roleFromProto } from '@parley/roles';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { createEmployee } from './employee.ts';
import { forbidden, mayAddEmployee } from './employee-access.ts';
import { employeeToProto } from './employee-proto.ts';
import type { EmployeeDeps } from './employee-deps.ts';

export const createEmployeeRpc =
  ({
    companies,
    clock,
    cap,
    ownership,
  }: EmployeeDeps): Handler<typeof EmployeeService.method.createEmployee, EmployeePrincipal> =>
  async ({ name, email, phone = null, role: requested }, { principal }) => {
    const { companyId } = principal;
    const role = roleFromProto(requested) ?? 'member';
    if (!mayAddEmployee(principal, role)) throw new Refused(forbidden);
    const country = await companies.countryOf(companyId);
    const identity = { id: newId('emp'), companyId };
    const decision = createEmployee(identity, { name, email, phone, role, invited: true }, country, clock.now());
    const hire = () => cap.hire(companyId, decision);
    const employee = await (role === 'owner' ? ownership.make(companyId, undefined, hire) : hire());
    return { employee: employeeToProto(employee) };
  };
