import { notFound, type Refusal, Refused, refusal } from '@parley/errors';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { TargetingNumber } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { lastOwner } from './company-owners.ts';
import { forbidden, mayDeleteEmployee } from './employee-access.ts';
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
    ownership,
  }: EmployeeDeps): Handler<typeof EmployeeService.method.deleteEmployee, EmployeePrincipal> =>
  async ({ id }, { principal }) => {
    const { companyId, employeeId } = principal;
    const own = employees.of(companyId);
    const target = await own.get(id);
    if (!target) throw new Refused(notFound);
    if (!mayDeleteEmployee(principal, target)) throw new Refused(forbidden);
    if (id === employeeId) {
      const isLast = target.role === 'owner' && (await ownership.isLastOwner(companyId, id));
      throw new Refused(isLast ? lastOwner : forbidden);
    }
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
    const remove = (ownerSequence?: number) =>
      own.change(id, (current) =>
        mayDeleteEmployee(principal, current)
          ? deleteEmployee(current, machineClock.now(), ownerSequence)
          : { ok: false, refusal: forbidden },
      );
    await (target.role === 'owner' ? ownership.unmake(companyId, id, remove) : remove()).catch(async (error) => {
      await own.changeIfExists(id, cancelDeletion).catch(() => undefined);
      throw error;
    });
    return {};
  };

function inUse(numbers: readonly TargetingNumber[]): Refusal {
  const mainNumbers = numbers.map(({ id, name }) => ({ id, name }));
  return refusal('employee_in_use', 'the employee is a call target', { extra: { main_numbers: mainNumbers } });
}
