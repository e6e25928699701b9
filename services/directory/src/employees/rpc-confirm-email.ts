import { notFound, Refused } from '@parley/errors';
import type { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { confirmEmail } from './employee.ts';
import { employeeToProto } from './employee-proto.ts';
import type { EmployeeDeps } from './employee-deps.ts';

/** Identity has verified who confirms; it names the employee without naming the company. */
export const confirmEmailRpc =
  ({
    employees,
    clock,
  }: EmployeeDeps): Handler<typeof EmployeeDirectoryService.method.confirmEmail, ServicePrincipal> =>
  async ({ employeeId, emailChange }) => {
    const known = await employees.acrossCompanies.get(employeeId);
    if (!known) throw new Refused(notFound);
    const employee = await employees
      .of(known.companyId)
      .change(employeeId, (current) => confirmEmail(current, Number(emailChange), clock.now()));
    return { employee: employeeToProto(employee) };
  };
