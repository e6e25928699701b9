import { Refused, refusal } from '@parley/errors';
import type { Employees } from './employee-store.ts';

/** How many employees a company may have. */
export interface EmployeeCap {
  /** Runs `create` if there is room for one more. Throws `Refused`. */
  within<T>(companyId: string, create: () => Promise<T>): Promise<T>;
}

/** More than one process creates at the same time. */
const NEAR = 50;

/** Near the cap a company's creations take turns, so that the last place is given once. */
export function employeeCap(employees: Employees, max: number): EmployeeCap {
  const lastTurn = new Map<string, Promise<unknown>>();

  async function ifRoom<T>(companyId: string, create: () => Promise<T>): Promise<T> {
    if ((await employees.of(companyId).count(max)) < max) return create();
    throw new Refused(refusal('limit_reached', `a company has at most ${max} employees`));
  }

  return {
    async within(companyId, create) {
      if ((await employees.of(companyId).count(max)) < max - NEAR) return create();
      const before = lastTurn.get(companyId) ?? Promise.resolve();
      const turn = before.then(() => ifRoom(companyId, create));
      const done: Promise<unknown> = turn
        .catch(() => undefined)
        .then(() => lastTurn.get(companyId) === done && lastTurn.delete(companyId));
      lastTurn.set(companyId, done);
      return turn;
    },
  };
}
