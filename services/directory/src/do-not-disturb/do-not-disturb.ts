import { type Decision, decided, invalid, refused } from '@parley/errors';
import { dueIn } from '@parley/store';
import { changed, type Employee, type EmployeeEvent, hearPresence } from '../employees/employee.ts';
import { type EmployeeStatus, newerPresence, type Presence } from '../employees/employee-status.ts';

/** `expiresAt` null: without end. */
export type DoNotDisturbSwitch =
  | { readonly enabled: true; readonly expiresAt: Date | null }
  | { readonly enabled: false };

/**
 * `heard`: what call-control says just now. Taking it in with the same write keeps the order of things: who is on a call
 * stays on a call, although the message about the call may still be on its way.
 */
export function setDoNotDisturb(
  current: Employee,
  to: DoNotDisturbSwitch,
  heard: Presence,
  now: Date,
): Decision<Employee, EmployeeEvent> {
  if (to.enabled && to.expiresAt && to.expiresAt <= now)
    return refused(invalid({ expires_at: ['must be in the future'] }));
  const before = current.doNotDisturb;
  const presence = newerPresence(current.presence, heard);
  const off = { ...current, presence, doNotDisturb: null, due: null, dueLease: null };
  if (!to.enabled) return before ? changed(current, { ...off, updatedAt: now }) : hearPresence(current, heard);
  const { expiresAt } = to;
  if (before && before.expiresAt?.getTime() === expiresAt?.getTime()) return hearPresence(current, heard);
  const employee: Employee = {
    ...off,
    doNotDisturb: { activatedAt: before?.activatedAt ?? now, expiresAt },
    due: expiresAt && dueIn(now, expiresAt.getTime() - now.getTime()),
    updatedAt: now,
  };
  return changed(current, employee);
}

/** The plan counts, not `expiresAt`: a clock that went back has moved the plan, and nothing may stay stuck. */
export function expireDoNotDisturb(current: Employee, now: Date): Decision<Employee, EmployeeEvent> {
  if (current.due === null || current.due.at > now) return decided({ ...current, dueLease: null });
  return changed(current, { ...current, doNotDisturb: null, due: null, dueLease: null, updatedAt: now });
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
