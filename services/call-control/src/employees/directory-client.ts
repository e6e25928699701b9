import { unlessNotFound } from '@parley/errors';
import {
  type Employee,
  EmployeeDirectoryService,
  EmployeeLookupService,
} from '@parley/proto/directory/v1/employees_pb';
import type { Channel } from '@parley/rpc';
import { employeeFromProto, type EmployeeRecord } from './employee-record.ts';

/** An employee as directory answers. */
export interface DirectoryEmployee {
  readonly id: string;
  readonly companyId: string;
  readonly record: EmployeeRecord;
}

/** Requests to directory for employees without a copy here. */
export type EmployeeDirectory = ReturnType<typeof employeeDirectory>;

export function employeeDirectory(channel: Channel) {
  const lookup = channel.client(EmployeeLookupService);
  const directory = channel.client(EmployeeDirectoryService);
  return {
    /** Undefined when there is no such employee. */
    find: (employeeId: string) => employeeOf(lookup.getEmployee({ id: employeeId })),
    /** Ends a pending invitation. Undefined when there is no such employee. */
    recordSignIn: (employeeId: string) => employeeOf(directory.recordSignIn({ employeeId })),
  };
}

async function employeeOf(asked: Promise<{ employee?: Employee | undefined }>): Promise<DirectoryEmployee | undefined> {
  const employee = (await unlessNotFound(asked))?.employee;
  return employee && directoryEmployee(employee);
}

export function directoryEmployee(employee: Employee): DirectoryEmployee {
  return { id: employee.id, companyId: employee.companyId, record: employeeFromProto(employee) };
}
