import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import type { RpcClient } from '@parley/rpc';
import { notFound, Refused } from '@parley/errors';
import type { SoftphoneUser } from './softphones.ts';

/** The company of an employee. Throws `Refused` (not found) for an unknown one. */
export interface Employees {
  find(employeeId: string): Promise<SoftphoneUser>;
}

export function directoryEmployees(lookup: RpcClient<typeof EmployeeLookupService>): Employees {
  return {
    async find(employeeId) {
      const { employee } = await lookup.getEmployee({ id: employeeId });
      if (!employee) throw new Refused(notFound);
      return { employeeId: employee.id, companyId: employee.companyId };
    },
  };
}
