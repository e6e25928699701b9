import { type Presence, PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { Employee } from '@parley/proto/directory/v1/employees_pb';
import { roleFromProto, ROLES } from '@parley/actor';
import { z } from 'zod';
import { enumJson, isoTime, isoTimeOf } from './value-json.ts';

/** Live presence; `unknown` while it cannot be read. */
export const statusSchema = z.enum(['on_call', 'do_not_disturb', 'ringing', 'available', 'logged_out', 'unknown']);

/** An employee as partners see it. */
export const employeeSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    forward_to: z
      .string()
      .nullable()
      .describe('Where calls also ring while no phone of the employee is registered; null when nowhere'),
    invitation_pending: z.boolean(),
    call_waiting: z.boolean().describe('Whether a second call is offered during a conversation'),
    role: z.enum(ROLES),
    active: z.boolean().describe('False for a deactivated employee, who has no access and is not rung'),
    deactivated_at: z.string().nullable(),
    managed_by: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe('The identity provider that manages the employee; null when the company does'),
    email_confirmation_pending: z.boolean().describe('Whether the employee still signs in with the previous address'),
    status: statusSchema,
    do_not_disturb: z.boolean(),
    do_not_disturb_activated_at: z.string().nullable(),
    do_not_disturb_expires_at: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Employee' });

export const statusJson = enumJson(PresenceStatus, statusSchema.options, 'unknown');

/** The record is directory's, the presence call-control's; do-not-disturb counts as a part of the employee that was updated. */
export function employeeJson(employee: Employee, presence: Presence): z.output<typeof employeeSchema> {
  const [recordChanged, switched] = [isoTimeOf(employee.updatedAt), isoTime(presence.doNotDisturbChangedAt) ?? ''];
  return {
    id: employee.id,
    name: employee.name,
    email: employee.email,
    phone: employee.phone ?? null,
    forward_to: employee.forwardTo ?? null,
    invitation_pending: employee.invitationPending,
    call_waiting: employee.callWaiting,
    // Copies in events of versions before 0.3, which logs have for 30 days and dead letters longer, are those of admins.
    role: roleFromProto(employee.role) ?? 'admin',
    active: employee.deactivatedAt === undefined,
    deactivated_at: isoTime(employee.deactivatedAt),
    managed_by: employee.managedBy ? { id: employee.managedBy.id, name: employee.managedBy.name } : null,
    email_confirmation_pending: employee.emailConfirmationPending,
    status: statusJson(presence.status),
    do_not_disturb: presence.doNotDisturbActivatedAt !== undefined,
    do_not_disturb_activated_at: isoTime(presence.doNotDisturbActivatedAt),
    do_not_disturb_expires_at: isoTime(presence.doNotDisturbExpiresAt),
    created_at: isoTimeOf(employee.createdAt),
    // ISO 8601 in UTC with milliseconds: the order of the texts is the order of the times.
    updated_at: switched > recordChanged ? switched : recordChanged,
  };
}
