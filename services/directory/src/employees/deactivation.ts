import type { AuditEntry } from '@parley/actor';
import { decided, type Decision, refused } from '@parley/errors';
import { type Employee, type EmployeeEvent, isOpenOwnerChange, objectOf, ownershipChanged } from './employee.ts';

/** What has to happen at other services after an employee was deactivated or reactivated, whether or not its event reaches them. */
export type EmployeeCommand =
  /** Identity and call-control read the employee. */
  | { readonly kind: 'refresh_copies' }
  /** The admins are told what has stopped with the employee. */
  | { readonly kind: 'report_deactivation' };

type ActivityDecision = Decision<Employee, EmployeeEvent, EmployeeCommand>;

export function isActive({ deactivatedAt }: Pick<Employee, 'deactivatedAt'>): boolean {
  return deactivatedAt === undefined;
}

/** The employee gives their slot back. An owner is deactivated only as a part of a change of ownership: one who is active has to be left. */
export function deactivateEmployee(current: Employee, now: Date, ownerSequence?: number): ActivityDecision {
  if (!isActive(current)) return unchanged(current);
  if (current.role === 'owner' && !isOpenOwnerChange(current, ownerSequence)) return refused(ownershipChanged);
  const { slot: _slot, ...rest } = current;
  const sequence = ownerSequence === undefined ? {} : { ownerSequence };
  return changed({ ...rest, ...sequence, deactivatedAt: now }, now, [
    { kind: 'refresh_copies' },
    { kind: 'report_deactivation' },
  ]);
}

/** `slot`: a free one of the company's. */
export function reactivateEmployee(current: Employee, slot: number, now: Date): ActivityDecision {
  if (isActive(current)) return unchanged(current);
  const { deactivatedAt: _deactivatedAt, ...rest } = current;
  return changed({ ...rest, slot }, now, [{ kind: 'refresh_copies' }]);
}

function unchanged(current: Employee): ActivityDecision {
  return decided<Employee, EmployeeEvent, EmployeeCommand>(current);
}

function changed(to: Employee, now: Date, commands: readonly EmployeeCommand[]): ActivityDecision {
  const employee = { ...to, updatedAt: now, revision: to.revision + 1 };
  const active = isActive(employee);
  const audit: AuditEntry = {
    type: active ? 'employee.reactivated' : 'employee.deactivated',
    object: objectOf(employee),
    changes: { active: { from: !active, to: active } },
  };
  const event: EmployeeEvent = { type: 'directory.employee.updated', employee, audit };
  return decided<Employee, EmployeeEvent, EmployeeCommand>(employee, [event], { commands });
}

/** A number and everyone its flow during business hours may ring. */
interface TargetingNumber {
  readonly name: string;
  readonly incomingCallEmployeeIds: readonly string[];
}

/** Of the numbers that ring an employee those that ring nobody any more. */
export function numbersRingingNobody<Number extends TargetingNumber>(
  numbers: readonly Number[],
  employeeId: string,
  activeIds: ReadonlySet<string>,
): readonly Number[] {
  return numbers.filter(
    ({ incomingCallEmployeeIds: group }) => group.includes(employeeId) && !group.some((id) => activeIds.has(id)),
  );
}
