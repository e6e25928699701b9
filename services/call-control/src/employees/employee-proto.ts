import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Employee, EmployeeSchema } from '@parley/proto/directory/v1/employees_pb';
import { roleFromProto, roleToProto } from '@parley/actor';
import type { EmployeeRecord } from './employee-record.ts';

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
    createdAt: timestampFromDate(record.createdAt),
    updatedAt: timestampFromDate(record.updatedAt),
    revision: BigInt(record.revision),
  };
}
