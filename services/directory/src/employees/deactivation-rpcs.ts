import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import type { EmployeePrincipal, Handler, RpcClient } from '@parley/rpc';
import { lastOwner } from './company-owners.ts';
import { deactivateEmployee, isActive, reactivateEmployee } from './deactivation.ts';
import { forbidden, mayRemoveEmployee } from './employee-permissions.ts';
import { employeeToProto } from './employee-proto.ts';
import { type Employees, inFreeEmployeeSlot } from './employee-store.ts';
import type { Ownership } from './ownership.ts';

export interface DeactivationDeps {
  readonly employees: Employees;
  readonly ownership: Ownership;
  readonly identity: Pick<RpcClient<typeof CredentialService>, 'refreshEmployee'>;
  /** In a company. */
  readonly employeesMax: number;
  readonly clock: Clock;
}

/**
 * Answered once identity refuses every credential of the employee, also by a repetition: the first request may have failed before that.
 * What has to follow is stored with the change, so that it happens after a crash as well.
 */
export const deactivateEmployeeRpc =
  ({
    employees,
    ownership,
    identity,
    clock,
  }: DeactivationDeps): Handler<typeof EmployeeService.method.deactivateEmployee, EmployeePrincipal> =>
  async ({ id }, { principal }) => {
    const { companyId, employeeId } = principal;
    const own = employees.of(companyId);
    const target = await own.get(id);
    if (!target) throw new Refused(notFound);
    if (!mayRemoveEmployee(principal, target)) throw new Refused(forbidden);
    if (id === employeeId) {
      const isLast = target.role === 'owner' && (await ownership.isLastOwner(companyId, id));
      throw new Refused(isLast ? lastOwner : forbidden);
    }
    const write = (ownerSequence?: number) =>
      own.change(id, (current) =>
        mayRemoveEmployee(principal, current)
          ? deactivateEmployee(current, clock.now(), ownerSequence)
          : { ok: false, refusal: forbidden },
      );
    const isActiveOwner = target.role === 'owner' && isActive(target);
    const employee = await (isActiveOwner ? ownership.unmake(companyId, id, write) : write());
    await identity.refreshEmployee({ employeeId: id });
    return { employee: employeeToProto(employee) };
  };

/** Takes a free slot, like a new employee. Answered once identity accepts the credentials of the employee again. */
export const reactivateEmployeeRpc =
  ({
    employees,
    ownership,
    identity,
    employeesMax,
    clock,
  }: DeactivationDeps): Handler<typeof EmployeeService.method.reactivateEmployee, EmployeePrincipal> =>
  async ({ id }, { principal }) => {
    const { companyId } = principal;
    const own = employees.of(companyId);
    const target = await own.get(id);
    if (!target) throw new Refused(notFound);
    if (!mayRemoveEmployee(principal, target)) throw new Refused(forbidden);
    const write = () =>
      inFreeEmployeeSlot(own, employeesMax, (slot) =>
        own.change(id, (current) =>
          mayRemoveEmployee(principal, current)
            ? reactivateEmployee(current, slot, clock.now())
            : { ok: false, refusal: forbidden },
        ),
      );
    const reactivate = () => (target.role === 'owner' ? ownership.make(companyId, id, write) : write());
    const employee = isActive(target) ? target : await reactivate();
    await identity.refreshEmployee({ employeeId: id });
    return { employee: employeeToProto(employee) };
  };
