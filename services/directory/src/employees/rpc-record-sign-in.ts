import { notFound, Refused } from '@parley/errors';
import type { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { recordSignIn } from './employee.ts';
import { employeeToProto } from './employee-proto.ts';
import type { EmployeeDeps } from './employee-deps.ts';

/** A service that saw the sign-in names the employee without naming the company. */
export const recordSignInRpc =
  ({
    employees,
    clock,
  }: EmployeeDeps): Handler<typeof EmployeeDirectoryService.method.recordSignIn, ServicePrincipal> =>
  async ({ employeeId }) => {
    const known = await employees.acrossCompanies.get(employeeId);
    if (!known) throw new Refused(notFound);
    if (!known.invitationPending) return { employee: employeeToProto(known) };
    const employee = await employees
      .of(known.companyId)
      .change(employeeId, (current) => recordSignIn(current, clock.now()));
    return { employee: employeeToProto(employee) };
  };
