import { type Role, roleFromProto, roleToProto } from '@parley/actor';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Employee, EmployeeSchema } from '@parley/proto/directory/v1/employees_pb';

/** Directory's record of an employee. Call-control keeps a copy for events and for the names in calls. */
export interface EmployeeRecord {
  readonly name: string;
  readonly email: string;
  /** E.164. */
  readonly phone: string | null;
  /** A phone (E.164) that also rings while no phone is registered. */
  readonly forwardTo?: string;
  readonly invitationPending: boolean;
  /** Absent where directory has sent none. */
  readonly role?: Role;
  readonly emailConfirmationPending: boolean;
  /** A second call is offered during a conversation. */
  readonly callWaiting: boolean;
  /** Absent while the employee is active; after that nothing rings them. */
  readonly deactivatedAt?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Increases with every change, to compare two copies. */
  readonly revision: number;
}

/** The newer of two copies. An invitation that has ended stays ended, also when an older copy arrives late. */
export function newerRecord(known: EmployeeRecord, heard: EmployeeRecord): EmployeeRecord {
  const newer = heard.revision > known.revision ? heard : known;
  const invitationPending = known.invitationPending && heard.invitationPending;
  return newer.invitationPending === invitationPending ? newer : { ...newer, invitationPending };
}

export function employeeFromProto(employee: Employee): EmployeeRecord {
  if (!employee.createdAt || !employee.updatedAt) throw new Error('an employee without timestamps');
  const role = roleFromProto(employee.role);
  return {
    ...(role !== undefined && { role }),
    emailConfirmationPending: employee.emailConfirmationPending,
    callWaiting: employee.callWaiting,
    name: employee.name,
    email: employee.email,
    phone: employee.phone ?? null,
    ...(employee.forwardTo !== undefined && { forwardTo: employee.forwardTo }),
    invitationPending: employee.invitationPending,
    ...(employee.deactivatedAt && { deactivatedAt: timestampDate(employee.deactivatedAt) }),
    createdAt: timestampDate(employee.createdAt),
    updatedAt: timestampDate(employee.updatedAt),
    revision: Number(employee.revision),
  };
}

export function employeeToProto(
  identity: { readonly id: string; readonly companyId: string },
  record: EmployeeRecord,
): MessageInitShape<typeof EmployeeSchema> {
  return {
    id: identity.id,
    companyId: identity.companyId,
    name: record.name,
    email: record.email,
    ...(record.phone !== null && { phone: record.phone }),
    ...(record.forwardTo !== undefined && { forwardTo: record.forwardTo }),
    invitationPending: record.invitationPending,
    ...(record.role !== undefined && { role: roleToProto[record.role] }),
    emailConfirmationPending: record.emailConfirmationPending,
    callWaiting: record.callWaiting,
    ...(record.deactivatedAt && { deactivatedAt: timestampFromDate(record.deactivatedAt) }),
    createdAt: timestampFromDate(record.createdAt),
    updatedAt: timestampFromDate(record.updatedAt),
    revision: BigInt(record.revision),
  };
}
