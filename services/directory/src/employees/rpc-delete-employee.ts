import { notFound, type Refusal, Refused, refusal } from '@parley/errors';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { TargetingNumber } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { beginLeaving, deleteEmployee, stay } from './employee.ts';
import type { EmployeeDeps } from './employee-deps.ts';

/** Longer than a request can last, so that a deletion that still runs is never overtaken by an assignment. */
const LEAVING_MS = 30_000;

/**
 * A number must never point at nobody. First the employee is marked as leaving, from when on `CheckEmployees` refuses
 * the employee to whoever wants to assign calls; only then is routing asked, which counts assignments under way as in
 * use. Whichever comes first wins, and the other is refused. A crash in between leaves a mark that runs out.
 */
export const deleteEmployeeRpc =
  ({
    employees,
    routing,
    machineClock,
  }: EmployeeDeps): Handler<typeof EmployeeService.method.deleteEmployee, EmployeePrincipal> =>
  async ({ id }, { principal: { companyId, employeeId } }) => {
    const own = employees.of(companyId);
    if (!(await own.get(id))) throw new Refused(notFound);
    if (id === employeeId) throw new Refused(refusal('forbidden', 'forbidden'));
    const until = new Date(machineClock.now().getTime() + LEAVING_MS);
    await own.change(id, (current) => beginLeaving(current, until));
    const { numbers } = await routing.listNumbersTargeting({ companyId, employeeId: id }).catch(async (error) => {
      await own.change(id, stay).catch(() => undefined);
      throw error;
    });
    if (numbers.length > 0) {
      await own.change(id, stay);
      throw new Refused(inUse(numbers));
    }
    await own.change(id, (current) => deleteEmployee(current, machineClock.now()));
    return {};
  };

function inUse(numbers: readonly TargetingNumber[]): Refusal {
  const mainNumbers = numbers.map(({ id, name }) => ({ id, name }));
  return refusal('employee_in_use', 'the employee is a call target', { extra: { main_numbers: mainNumbers } });
}
