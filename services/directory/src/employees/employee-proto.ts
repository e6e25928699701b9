import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import type { EmployeeSchema, UpdateEmployeeRequest } from '@parley/proto/directory/v1/employees_pb';
import { roleFromProto, roleToProto } from '@parley/actor';
import { textChange } from '../text-change-proto.ts';
import type { Employee, EmployeeChange, EmployeeEvent } from './employee.ts';

export function employeeToProto(employee: Employee): MessageInitShape<typeof EmployeeSchema> {
  return {
    id: employee.id,
    companyId: employee.companyId,
    name: employee.name,
    email: employee.email,
    ...(employee.phone !== null && { phone: employee.phone }),
    ...(employee.forwardTo !== null && { forwardTo: employee.forwardTo }),
    invitationPending: employee.invitationPending,
    callWaiting: employee.callWaiting,
    createdAt: timestampFromDate(employee.createdAt),
    updatedAt: timestampFromDate(employee.updatedAt),
    revision: BigInt(employee.revision),
    role: roleToProto[employee.role],
    emailConfirmationPending: employee.signInEmail !== undefined,
    signInEmail: employee.signInEmail ?? employee.email,
    emailChange: BigInt(employee.emailChange),
    ...(employee.deactivatedAt && { deactivatedAt: timestampFromDate(employee.deactivatedAt) }),
  };
}

export function changeFromProto(request: UpdateEmployeeRequest): EmployeeChange {
  const role = roleFromProto(request.role);
  return {
    ...(role !== undefined && { role }),
    ...(request.name !== undefined && { name: request.name }),
    ...(request.email !== undefined && { email: request.email }),
    ...textChange('phone', request.phone),
    ...(request.callWaiting !== undefined && { callWaiting: request.callWaiting }),
    ...textChange('forwardTo', request.forwardTo),
  };
}

export function encodeEmployeeEvent(event: EmployeeEvent): EncodedMessage {
  return encodeMessage(event.type, { employee: employeeToProto(event.employee) });
}
