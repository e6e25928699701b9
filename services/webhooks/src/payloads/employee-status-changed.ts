import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { type Employee, EmployeeStatus } from '@parley/proto/directory/v1/employees_pb';
import { definePayload } from './payload.ts';

export const employeeStatusChanged = definePayload({
  fact: 'directory.employee.status_changed',
  event: 'employee.status.changed',
  data: ({ employee }) => ({ employee: employeeJson(employee) }),
});

const statuses: Readonly<Record<EmployeeStatus, string>> = {
  [EmployeeStatus.UNSPECIFIED]: 'unknown',
  [EmployeeStatus.ON_CALL]: 'on_call',
  [EmployeeStatus.DO_NOT_DISTURB]: 'do_not_disturb',
  [EmployeeStatus.RINGING]: 'ringing',
  [EmployeeStatus.AVAILABLE]: 'available',
  [EmployeeStatus.LOGGED_OUT]: 'logged_out',
};

/** The specification's full employee model. */
function employeeJson(employee: Employee | undefined): object {
  if (!employee?.createdAt || !employee.updatedAt) throw new Error('an employee event without its employee');
  return {
    id: employee.id,
    name: employee.name,
    email: employee.email,
    phone: employee.phone ?? null,
    invitation_pending: employee.invitationPending,
    status: statuses[employee.status],
    do_not_disturb: employee.doNotDisturbActivatedAt !== undefined,
    do_not_disturb_activated_at: isoTime(employee.doNotDisturbActivatedAt),
    do_not_disturb_expires_at: isoTime(employee.doNotDisturbExpiresAt),
    created_at: isoTime(employee.createdAt),
    updated_at: isoTime(employee.updatedAt),
  };
}

function isoTime(timestamp: Timestamp | undefined): string | null {
  return timestamp ? timestampDate(timestamp).toISOString() : null;
}
