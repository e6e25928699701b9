import { notFound, type Refusal, Refused, refusal } from '@parley/errors';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { TargetingNumber } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { beginDeletion, deleteEmployee, cancelDeletion } from './employee.ts';
import type { EmployeeDeps } from './employee-deps.ts';

/** Longer than a request can last: no assignment is accepted while a deletion is still running. */
const LEAVING_MS = 30_000;

/**
 * A number must never transfer to a deleted employee. First the employee is marked as leaving: from then on `CheckEmployees`
 * refuses the employee to services that assign calls. Only then is routing queried, which counts assignments in progress as in
 * use. The first of the two wins, and the other is refused. A mark left by a crash expires.
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
    await own.change(id, (current) => beginDeletion(current, until));
    const { numbers } = await routing.listNumbersTargeting({ companyId, employeeId: id }).catch(async (error) => {
      await own.change(id, cancelDeletion).catch(() => undefined);
      throw error;
    });
    if (numbers.length > 0) {
      await own.change(id, cancelDeletion);
      throw new Refused(inUse(numbers));
    }
    await own.change(id, (current) => deleteEmployee(current, machineClock.now()));
    return {};
  };

function inUse(numbers: readonly TargetingNumber[]): Refusal {
  const mainNumbers = numbers.map(({ id, name }) => ({ id, name }));
  return refusal('employee_in_use', 'the employee is a call target', { extra: { main_numbers: mainNumbers } });
}
