import { type Decision, Refused, refusal } from '@parley/errors';
import type { Employee, EmployeeEvent } from './employee.ts';
import { type Employees, placeTaken } from './employee-store.ts';
import { openPlaces } from './places.ts';

/** How many employees a company may have. */
export interface EmployeeCap {
  /** Stores a new employee in a free place; exact under any concurrency, because a place is taken once. Throws `Refused`. */
  hire(companyId: string, decision: Decision<Employee, EmployeeEvent>): Promise<Employee>;
}

export function employeeCap(employees: Employees, max: number): EmployeeCap {
  return {
    async hire(companyId, decision) {
      if (!decision.ok) throw new Refused(decision.refusal);
      for (;;) {
        const open = openPlaces(await employees.placesOf(companyId), max);
        const place = open[Math.floor(Math.random() * open.length)];
        if (place === undefined) throw new Refused(refusal('limit_reached', `a company has at most ${max} employees`));
        try {
          return await employees.of(companyId).create({ ...decision, state: { ...decision.state, place } });
        } catch (error) {
          if (!(error instanceof Refused && error.refusal === placeTaken)) throw error;
        }
      }
    },
  };
}
