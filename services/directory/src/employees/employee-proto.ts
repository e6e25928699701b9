import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import {
  type EmployeeSchema,
  EmployeeStatus as ProtoStatus,
  type UpdateEmployeeRequest,
} from '@parley/proto/directory/v1/employees_pb';
import { textChange } from '../text-change-proto.ts';
import type { Employee, EmployeeChange, EmployeeEvent } from './employee.ts';
import { type EmployeeStatus, type Presence, statusOf } from './employee-status.ts';

const statuses: Record<EmployeeStatus, ProtoStatus> = {
  on_call: ProtoStatus.ON_CALL,
  do_not_disturb: ProtoStatus.DO_NOT_DISTURB,
  ringing: ProtoStatus.RINGING,
  available: ProtoStatus.AVAILABLE,
  logged_out: ProtoStatus.LOGGED_OUT,
  unknown: ProtoStatus.UNSPECIFIED,
};

/** `presence`: what call-control says just now, where it was asked; otherwise what it last said counts. */
export function employeeToProto(employee: Employee, presence?: Presence): MessageInitShape<typeof EmployeeSchema> {
  const { doNotDisturb } = employee;
  return {
    id: employee.id,
    companyId: employee.companyId,
    name: employee.name,
    email: employee.email,
    ...(employee.phone !== null && { phone: employee.phone }),
    invitationPending: employee.invitationPending,
    status: statuses[statusOf(employee, presence)],
    ...(doNotDisturb && { doNotDisturbActivatedAt: timestampFromDate(doNotDisturb.activatedAt) }),
    ...(doNotDisturb?.expiresAt && { doNotDisturbExpiresAt: timestampFromDate(doNotDisturb.expiresAt) }),
    createdAt: timestampFromDate(employee.createdAt),
    updatedAt: timestampFromDate(employee.updatedAt),
  };
}

export function changeFromProto(request: UpdateEmployeeRequest): EmployeeChange {
  return {
    ...(request.name !== undefined && { name: request.name }),
    ...(request.email !== undefined && { email: request.email }),
    ...textChange('phone', request.phone),
  };
}

export function encodeEmployeeEvent(event: EmployeeEvent): EncodedMessage {
  return encodeMessage(event.type, { employee: employeeToProto(event.employee) });
}
