import { timestampDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { employeeToProto } from '../employees/employee-proto.ts';
import type { EmployeeDeps } from '../employees/employee-deps.ts';
import { caughtUpPresence } from '../presence/catch-up.ts';
import { setDoNotDisturb } from './do-not-disturb.ts';

export const setDoNotDisturbRpc =
  ({
    employees,
    presences,
    clock,
  }: EmployeeDeps): Handler<typeof EmployeeService.method.setDoNotDisturb, EmployeePrincipal> =>
  async ({ id, enabled, expiresAt }, { principal: { companyId } }) => {
    const own = employees.of(companyId);
    if (!(await own.get(id))) throw new Refused(notFound);
    const presence = await caughtUpPresence({ employees, presences }, companyId, id);
    const to = enabled
      ? ({ enabled, expiresAt: expiresAt ? timestampDate(expiresAt) : null } as const)
      : ({ enabled: false } as const);
    const employee = await own.change(id, (current) => setDoNotDisturb(current, to, presence, clock.now()));
    return { employee: employeeToProto(employee, presence) };
  };
