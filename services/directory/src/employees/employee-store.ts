import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import { slotTaken } from '@parley/store';
import type { Db } from 'mongodb';
import { type Employee, type EmployeeEvent, emailKeyOf, emailTaken } from './employee.ts';
import { encodeEmployeeEvent } from './employee-proto.ts';

export interface Employees extends Aggregates<Employee, EmployeeEvent> {
  /** By e-mail address, across companies: addresses are unique. */
  byEmail(email: string): Promise<Employee | undefined>;
  /** Those of the given employees who work for the company. */
  byIds(companyId: string, ids: readonly string[]): Promise<Map<string, Employee>>;
}

/** In the order they were added, as the list is read; backed by the index of the same fields. */
export const OLDEST_FIRST = { createdAt: 1, id: 1 } as const;

export async function openEmployees(db: Db, relay: Relay, clock: Clock): Promise<Employees> {
  const employees = await openAggregates<Employee, EmployeeEvent>({
    db,
    collection: 'employees',
    relay,
    clock,
    encode: encodeEmployeeEvent,
    indexes: [
      { name: 'email', key: { emailKey: 1 }, unique: true },
      { name: 'company_oldest', key: { companyId: 1, createdAt: 1, _id: 1 } },
      {
        name: 'company_slot',
        key: { companyId: 1, slot: 1 },
        unique: true,
        partialFilterExpression: { slot: { $exists: true } },
      },
    ],
    collisions: { email: emailTaken, company_slot: slotTaken },
  });
  return {
    ...employees,
    byEmail: (email) => employees.acrossCompanies.findOne({ emailKey: emailKeyOf(email) }),
    async byIds(companyId, ids) {
      const found = new Map<string, Employee>();
      if (ids.length === 0) return found;
      const wanted = { id: { $in: [...new Set(ids)] } };
      for await (const employee of employees.of(companyId).find(wanted, { id: 1 })) found.set(employee.id, employee);
      return found;
    },
  };
}
