import { type Decision, Refused, refusal } from '@parley/errors';
import { createInFreeSlot } from '@parley/aggregates';
import type { Employee, EmployeeEvent } from './employee.ts';
import type { Employees } from './employee-store.ts';

export interface EmployeeCap {
  /** Stores a new employee in a free slot; exact under any concurrency. Throws `Refused`. */
  hire(companyId: string, decision: Decision<Employee, EmployeeEvent>): Promise<Employee>;
}

export function employeeCap(employees: Employees, max: number): EmployeeCap {
  const full = refusal('limit_reached', `a company has at most ${max} employees`);
  return {
    async hire(companyId, decision) {
      if (!decision.ok) throw new Refused(decision.refusal);
      const slots = { among: {}, field: 'slot', max, full } as const;
      return createInFreeSlot(employees.of(companyId), slots, (slot) => ({
        ...decision,
        state: { ...decision.state, slot },
      }));
    },
  };
}
