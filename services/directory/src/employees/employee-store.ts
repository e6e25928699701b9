import type { Clock } from '@parley/clock';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import type { Db } from 'mongodb';
import { type Employee, type EmployeeEvent, emailKeyOf, emailTaken } from './employee.ts';
import { encodeEmployeeEvent } from './employee-proto.ts';

export interface Employees extends Aggregates<Employee, EmployeeEvent> {
  /** Whoever has the address, in whichever company: addresses are unique across accounts. */
  byEmail(email: string): Promise<Employee | undefined>;
}

export async function openEmployees(db: Db, relay: Relay, clock: Clock): Promise<Employees> {
  const employees = await openAggregates<Employee, EmployeeEvent>({
    db,
    collection: 'employees',
    relay,
    clock,
    encode: encodeEmployeeEvent,
    indexes: [
      { name: 'email', key: { emailKey: 1 }, unique: true, partialFilterExpression: { _deleted: false } },
      { name: 'company', key: { companyId: 1, createdAt: 1 }, partialFilterExpression: { _deleted: false } },
    ],
    collisions: { email: emailTaken },
  });
  return { ...employees, byEmail: (email) => employees.acrossCompanies.findOne({ emailKey: emailKeyOf(email) }) };
}
