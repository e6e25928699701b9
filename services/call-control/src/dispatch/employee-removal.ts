import type { Calls } from '../calls/store/call-store.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';

/** Takes an employee who was deleted out of their calls. May be repeated. */
export type EmployeeRemoval = (companyId: string, employeeId: string) => Promise<void>;

export function employeeRemoval({ calls, runner }: { calls: Calls; runner: CallRunner }): EmployeeRemoval {
  return async (companyId, employeeId) => {
    const involved = await calls.involving(companyId, employeeId);
    await Promise.all(involved.map((call) => runner.apply(call, { type: 'employee_removed', employeeId })));
  };
}
