import { setImmediate } from 'node:timers/promises';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeeCaller, Handler } from '@parley/rpc';
import { employeeToProto } from './employee-proto.ts';
import { OLDEST_FIRST } from './employee-store.ts';
import type { EmployeeDeps } from './employee-deps.ts';

/** Employees per message: large enough to be cheap, small enough to pass in a blink. */
const CHUNK = 50;

export const listEmployeesRpc = ({
  employees,
  presences,
}: EmployeeDeps): Handler<typeof EmployeeService.method.listEmployees, EmployeeCaller> =>
  async function* (_request, { caller: { companyId }, signal }) {
    const presenceOf = await presences.now(companyId);
    let chunk = [];
    for await (const employee of employees.of(companyId).find({}, OLDEST_FIRST)) {
      if (signal.aborted) return;
      if (chunk.push(employeeToProto(employee, presenceOf(employee.id))) < CHUNK) continue;
      yield { employees: chunk };
      chunk = [];
      await setImmediate(); // let others have their turn
    }
    if (chunk.length > 0) yield { employees: chunk };
  };
