import type { Clock } from '@parley/clock';
import { type Decision, refusal, Refused } from '@parley/errors';
import { type Aggregates, inFreeSlot, openAggregates, type Relay, slotTaken } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { EmployeeCommand } from './deactivation.ts';
import { type Employee, type EmployeeEvent, emailTaken } from './employee.ts';
import { emailKeyOf } from './employee-email.ts';
import { encodeEmployeeEvent } from './employee-proto.ts';

export interface Employees extends Aggregates<Employee, EmployeeEvent, EmployeeCommand> {
  /** Searches all companies, because an address may be reserved only once. */
  byEmail(email: string): Promise<Employee | undefined>;
  /** Those of the given employees who work for the company. */
  byIds(companyId: string, ids: readonly string[]): Promise<Map<string, Employee>>;
}

/** The order of lists, backed by the index of the same fields. */
export const OLDEST_FIRST = { createdAt: 1, id: 1 } as const;

export async function openEmployees(db: Db, relay: Relay, clock: Clock): Promise<Employees> {
  const employees = await openAggregates<Employee, EmployeeEvent, EmployeeCommand>({
    db,
    collection: 'employees',
    relay,
    clock,
    encode: encodeEmployeeEvent,
    announced: true,
    indexes: [
      { name: 'email', key: { emailKey: 1 }, unique: true },
      // Reserves the confirmed address, too, while a new one waits. Partial, because a deleted employee has none.
      {
        name: 'reserved_emails',
        key: { emailKeys: 1 },
        unique: true,
        partialFilterExpression: { emailKeys: { $exists: true } },
      },
      { name: 'company_oldest', key: { companyId: 1, createdAt: 1, _id: 1 } },
      {
        name: 'company_slot',
        key: { companyId: 1, slot: 1 },
        unique: true,
        partialFilterExpression: { slot: { $exists: true } },
      },
    ],
    collisions: { email: emailTaken, reserved_emails: emailTaken, company_slot: slotTaken },
  });
  return {
    ...employees,
    async byEmail(email) {
      const emailKey = emailKeyOf(email);
      const { findOne } = employees.acrossCompanies;
      return (await findOne({ emailKey })) ?? findOne({ emailKeys: emailKey });
    },
    async byIds(companyId, ids) {
      const found = new Map<string, Employee>();
      if (ids.length === 0) return found;
      const wanted = { id: { $in: [...new Set(ids)] } };
      for await (const employee of employees.of(companyId).find(wanted, { id: 1 })) found.set(employee.id, employee);
      return found;
    },
  };
}

/** Stores a new employee in one of `max` free slots; exact under any concurrency. Throws `Refused`. */
export async function hireEmployee(
  employees: Employees,
  companyId: string,
  decision: Decision<Employee, EmployeeEvent>,
  max: number,
): Promise<Employee> {
  if (!decision.ok) throw new Refused(decision.refusal);
  const own = employees.of(companyId);
  return inFreeEmployeeSlot(own, max, (slot) => own.create({ ...decision, state: { ...decision.state, slot } }));
}

/** Writes an employee in one of `max` free slots; those who are deactivated do not count. Throws `Refused` when there is none. */
export function inFreeEmployeeSlot(
  own: ReturnType<Employees['of']>,
  max: number,
  write: (slot: number) => Promise<Employee>,
): Promise<Employee> {
  const full = refusal('limit_reached', `a company has at most ${max} employees`);
  return inFreeSlot(own, { among: { deactivatedAt: { $exists: false } }, field: 'slot', max, full }, write);
}
