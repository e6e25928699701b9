import type { EmployeeDeps } from './employee-deps.ts';
import { notFound, Refused } from '@parley/errors';
import {
  EmployeeDirectoryService,
  EmployeeLookupService,
  EmployeeService,
} from '@parley/proto/directory/v1/employees_pb';
import { employees as employeesOnly, operatorsOr, type RpcServer, services } from '@parley/rpc';
import { employeeToProto } from './employee-proto.ts';
import { confirmEmailRpc } from './rpc-confirm-email.ts';
import { checkEmployeesRpc } from './rpc-check-employees.ts';
import { createEmployeeRpc } from './rpc-create-employee.ts';
import { deleteEmployeeRpc } from './rpc-delete-employee.ts';
import { listCompanyEmployeesRpc } from './rpc-list-company-employees.ts';
import { listEmployeesRpc } from './rpc-list-employees.ts';
import { readEmployeeRpc } from './rpc-read-employee.ts';
import { recordSignInRpc } from './rpc-record-sign-in.ts';
import { updateEmployeeRpc } from './rpc-update-employee.ts';

/** Every RPC of the contracts and the file of its handler. */
export function addEmployeeServices(server: RpcServer, deps: EmployeeDeps): void {
  const [member, admin] = [employeesOnly.withRole('member'), employeesOnly.withRole('admin')];
  // Members change their own name and phone number: `mayChangeEmployee` decides.
  const accessRules = {
    createEmployee: admin,
    readEmployee: member,
    listEmployees: member,
    updateEmployee: member,
    deleteEmployee: admin,
  };
  server.add(EmployeeService, accessRules, {
    createEmployee: createEmployeeRpc(deps),
    readEmployee: readEmployeeRpc(deps),
    listEmployees: listEmployeesRpc(deps),
    updateEmployee: updateEmployeeRpc(deps),
    deleteEmployee: deleteEmployeeRpc(deps),
  });
  const followers = services('numbers-routing', 'call-control', 'messaging-inbox', 'identity');
  const directoryRules = {
    checkEmployees: followers,
    recordSignIn: followers,
    listCompanyEmployees: followers,
    confirmEmail: services('identity'),
  };
  server.add(EmployeeDirectoryService, directoryRules, {
    checkEmployees: checkEmployeesRpc(deps),
    recordSignIn: recordSignInRpc(deps),
    listCompanyEmployees: listCompanyEmployeesRpc(deps),
    confirmEmail: confirmEmailRpc(deps),
  });
  // The operator, identity, call-control and the sandbox name an employee without naming the company.
  server.add(EmployeeLookupService, operatorsOr('identity', 'call-control', 'sandbox'), {
    async getEmployee({ id }) {
      const employee = await deps.employees.acrossCompanies.get(id);
      if (!employee) throw new Refused(notFound);
      return { employee: employeeToProto(employee) };
    },
  });
}
