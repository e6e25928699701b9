import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { type Employee, EmployeeStatus } from '@parley/proto/directory/v1/employees_pb';
import { z } from 'zod';

const statuses = ['on_call', 'do_not_disturb', 'ringing', 'available', 'logged_out', 'unknown'] as const;

/** An employee as partners see it. */
export const employeeSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    invitation_pending: z.boolean(),
    status: z.enum(statuses),
    do_not_disturb: z.boolean(),
    do_not_disturb_activated_at: z.string().nullable(),
    do_not_disturb_expires_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Employee' });

const statusNames: Record<EmployeeStatus, (typeof statuses)[number]> = {
  [EmployeeStatus.UNSPECIFIED]: 'unknown',
  [EmployeeStatus.ON_CALL]: 'on_call',
  [EmployeeStatus.DO_NOT_DISTURB]: 'do_not_disturb',
  [EmployeeStatus.RINGING]: 'ringing',
  [EmployeeStatus.AVAILABLE]: 'available',
  [EmployeeStatus.LOGGED_OUT]: 'logged_out',
};

export function employeeJson(employee: Employee): z.output<typeof employeeSchema> {
  return {
    id: employee.id,
    name: employee.name,
    email: employee.email,
    phone: employee.phone ?? null,
    invitation_pending: employee.invitationPending,
    status: statusNames[employee.status],
    do_not_disturb: employee.doNotDisturbActivatedAt !== undefined,
    do_not_disturb_activated_at: isoTime(employee.doNotDisturbActivatedAt),
    do_not_disturb_expires_at: isoTime(employee.doNotDisturbExpiresAt),
    created_at: isoTime(employee.createdAt) ?? '',
    updated_at: isoTime(employee.updatedAt) ?? '',
  };
}

export function isoTime(timestamp: Timestamp | undefined): string | null {
  return timestamp ? timestampDate(timestamp).toISOString() : null;
}
