import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { statusOf } from '../employees/employee-status.ts';
import type { EmployeeDeps } from '../employees/employee-deps.ts';
import { atRiskNumbers } from './do-not-disturb.ts';

export const getDoNotDisturbRpc =
  ({
    employees,
    presences,
    routing,
  }: EmployeeDeps): Handler<typeof EmployeeService.method.getDoNotDisturb, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId } }) => {
    const employee = await employees.of(companyId).get(id);
    if (!employee) throw new Refused(notFound);
    const { numbers } = await routing.listNumbersTargeting({ companyId, employeeId: id });
    const others = [...new Set(numbers.flatMap((number) => number.incomingCallEmployeeIds))];
    const [known, presenceOf] = await Promise.all([
      employees.byIds(companyId, others),
      presences.now(companyId, others),
    ]);
    const atRisk = atRiskNumbers(id, numbers, (other) => {
      const colleague = known.get(other);
      return colleague ? statusOf(colleague, presenceOf(other)) : 'logged_out';
    });
    const { doNotDisturb } = employee;
    return {
      ...(doNotDisturb && { activatedAt: timestampFromDate(doNotDisturb.activatedAt) }),
      ...(doNotDisturb?.expiresAt && { expiresAt: timestampFromDate(doNotDisturb.expiresAt) }),
      atRiskNumbers: atRisk.map((number) => ({ id: number.id, name: number.name })),
    };
  };
