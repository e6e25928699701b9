import { type Presence, PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { Employee } from '@parley/proto/directory/v1/employees_pb';
import { roleFromProto } from '@parley/roles';
import { isoTime } from './iso-time.ts';
import { definePayload } from './payload.ts';

export const employeeStatusChanged = definePayload({
  fact: 'call-control.employee_status.changed',
  event: 'employee.status.changed',
  data: ({ employee, presence }) => ({ employee: employeeJson(employee, presence) }),
});

const statuses: Readonly<Record<PresenceStatus, string>> = {
  [PresenceStatus.UNSPECIFIED]: 'unknown',
  [PresenceStatus.ON_CALL]: 'on_call',
  [PresenceStatus.DO_NOT_DISTURB]: 'do_not_disturb',
  [PresenceStatus.RINGING]: 'ringing',
  [PresenceStatus.AVAILABLE]: 'available',
  [PresenceStatus.LOGGED_OUT]: 'logged_out',
};

/** The specification's full employee model. */
function employeeJson(employee: Employee | undefined, presence: Presence | undefined): object {
  if (!employee?.createdAt || !employee.updatedAt || !presence)
    throw new Error('an employee event without its employee');
  const [recordChanged, switched] = [isoTime(employee.updatedAt) ?? '', isoTime(presence.doNotDisturbChangedAt) ?? ''];
  return {
    id: employee.id,
    name: employee.name,
    email: employee.email,
    phone: employee.phone ?? null,
    invitation_pending: employee.invitationPending,
    // Copies from before there were roles are those of admins.
    role: roleFromProto(employee.role) ?? 'admin',
    email_confirmation_pending: employee.emailConfirmationPending,
    status: statuses[presence.status],
    do_not_disturb: presence.doNotDisturbActivatedAt !== undefined,
    do_not_disturb_activated_at: isoTime(presence.doNotDisturbActivatedAt),
    do_not_disturb_expires_at: isoTime(presence.doNotDisturbExpiresAt),
    created_at: isoTime(employee.createdAt),
    // ISO 8601 in UTC with milliseconds: the order of the texts is the order of the times.
    updated_at: switched > recordChanged ? switched : recordChanged,
  };
}
