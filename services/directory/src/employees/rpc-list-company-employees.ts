import { setImmediate } from 'node:timers/promises';
import type { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { Handler, ServiceCaller } from '@parley/rpc';
import { employeeToProto } from './employee-proto.ts';
import { OLDEST_FIRST } from './employee-store.ts';
import type { EmployeeDeps } from './employee-deps.ts';

const CHUNK = 50;

export const listCompanyEmployeesRpc = ({
  employees,
}: EmployeeDeps): Handler<typeof EmployeeDirectoryService.method.listCompanyEmployees, ServiceCaller> =>
  async function* ({ companyId }, { signal }) {
    let chunk = [];
    for await (const employee of employees.of(companyId).find({}, OLDEST_FIRST)) {
      if (signal.aborted) return;
      if (chunk.push(employeeToProto(employee)) < CHUNK) continue;
      yield { employees: chunk };
      chunk = [];
      await setImmediate(); // let others have their turn
    }
    if (chunk.length > 0) yield { employees: chunk };
  };
