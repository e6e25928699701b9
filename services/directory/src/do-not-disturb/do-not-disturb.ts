import { type Decision, decided, invalid, refused } from '@parley/errors';
import { dueIn } from '@parley/store';
import { afterHearing, changed, type Employee, type EmployeeEvent } from '../employees/employee.ts';
import type { EmployeeStatus, Presence } from '../employees/employee-status.ts';

/** `expiresAt` null: without end. */
export type DoNotDisturbSwitch =
  | { readonly enabled: true; readonly expiresAt: Date | null }
  | { readonly enabled: false };

/**
 * `heard`: what call-control says just now. It happened before the switch, so it is told before it, each change by itself;
 * the message about it, which may still be on its way, is nothing new then.
 */
export function setDoNotDisturb(
  current: Employee,
  to: DoNotDisturbSwitch,
  heard: Presence,
  now: Date,
): Decision<Employee, EmployeeEvent> {
  return afterHearing(current, heard, (employee) => switchDoNotDisturb(employee, to, now));
}

/** The plan counts, not `expiresAt`: a clock that went back has moved the plan, and nothing may stay stuck. */
export function expireDoNotDisturb(current: Employee, heard: Presence, now: Date): Decision<Employee, EmployeeEvent> {
  return afterHearing(current, heard, (employee) => {
    if (employee.due === null || employee.due.at > now) return decided({ ...employee, dueLease: null });
    return changed(employee, { ...employee, ...OFF, updatedAt: now });
  });
}

const OFF = { doNotDisturb: null, due: null, dueLease: null } as const;

function switchDoNotDisturb(current: Employee, to: DoNotDisturbSwitch, now: Date): Decision<Employee, EmployeeEvent> {
  const before = current.doNotDisturb;
  if (!to.enabled) return before ? changed(current, { ...current, ...OFF, updatedAt: now }) : decided(current);
  const { expiresAt } = to;
  if (expiresAt && expiresAt <= now) return refused(invalid({ expires_at: ['must be in the future'] }));
  if (before && before.expiresAt?.getTime() === expiresAt?.getTime()) return decided(current);
  return changed(current, {
    ...current,
    doNotDisturb: { activatedAt: before?.activatedAt ?? now, expiresAt },
    due: expiresAt && dueIn(now, expiresAt.getTime() - now.getTime()),
    dueLease: null,
    updatedAt: now,
  });
}

/** A number and everyone its flow during business hours may ring, menu branches included, as one group. */
export interface AssignedNumber {
  readonly id: string;
  readonly name: string;
  readonly incomingCallEmployeeIds: readonly string[];
}

const ANSWERING: ReadonlySet<EmployeeStatus> = new Set(['available', 'ringing', 'on_call']);

/** The numbers that would go straight to no-answer without the employee: nobody else is there to take a call, now or soon. */
export function atRiskNumbers(
  employeeId: string,
  numbers: readonly AssignedNumber[],
  statusOf: (employeeId: string) => EmployeeStatus,
): readonly AssignedNumber[] {
  return numbers.filter(
    ({ incomingCallEmployeeIds: group }) =>
      group.includes(employeeId) && !group.some((id) => id !== employeeId && ANSWERING.has(statusOf(id))),
  );
}
