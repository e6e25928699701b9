import { create, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EncodedEvent } from '@parley/outbox';
import {
  EmployeeCreatedSchema,
  EmployeeDeletedSchema,
  EmployeeUpdatedSchema,
} from '@parley/proto/directory/v1/employee_events_pb';
import { type EmployeeSchema, EmployeeStatus } from '@parley/proto/directory/v1/employees_pb';
import type { Employee, EmployeeEvent } from './employee.ts';

export function employeeToProto(employee: Employee): MessageInitShape<typeof EmployeeSchema> {
  return {
    id: employee.id,
    companyId: employee.companyId,
    name: employee.name,
    email: employee.email,
    ...(employee.phone !== null && { phone: employee.phone }),
    invitationPending: employee.invitationPending,
    status: EmployeeStatus.LOGGED_OUT,
    createdAt: timestampFromDate(employee.createdAt),
    updatedAt: timestampFromDate(employee.updatedAt),
  };
}

const schemas = {
  'directory.employee.created': EmployeeCreatedSchema,
  'directory.employee.updated': EmployeeUpdatedSchema,
  'directory.employee.deleted': EmployeeDeletedSchema,
};

export function encodeEmployeeEvent(event: EmployeeEvent): EncodedEvent {
  const schema = schemas[event.type];
  return { type: event.type, data: toBinary(schema, create(schema, { employee: employeeToProto(event.employee) })) };
}
