import type { Clock } from '@parley/clock';
import { refusal } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import { QUERY_TIME_MAX_MS } from '@parley/store';
import type { Db } from 'mongodb';
import { type Employee, type EmployeeEvent, emailKeyOf, emailTaken } from './employee.ts';
import { encodeEmployeeEvent } from './employee-proto.ts';

export interface Employees extends Aggregates<Employee, EmployeeEvent> {
  /** Whoever has the address, in whichever company: addresses are unique across accounts. */
  byEmail(email: string): Promise<Employee | undefined>;
  /** Those of the given employees who work for the company. */
  byIds(companyId: string, ids: readonly string[]): Promise<Map<string, Employee>>;
  /** One entry for each employee of the company: the place, undefined for whoever has none. */
  placesOf(companyId: string): Promise<(number | undefined)[]>;
}

/** In the order they were added, as the list is read; backed by the index of the same fields. */
export const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const;

/** Never answered: whoever hires takes another place. */
export const placeTaken = refusal('conflict', 'the place was taken in the same moment');

export async function openEmployees(db: Db, relay: Relay, clock: Clock): Promise<Employees> {
  const employees = await openAggregates<Employee, EmployeeEvent>({
    db,
    collection: 'employees',
    relay,
    clock,
    encode: encodeEmployeeEvent,
    indexes: [
      { name: 'email', key: { emailKey: 1 }, unique: true, partialFilterExpression: { _deleted: false } },
      {
        name: 'company_oldest',
        key: { companyId: 1, createdAt: 1, _id: 1 },
        partialFilterExpression: { _deleted: false },
      },
      {
        name: 'company_place',
        key: { companyId: 1, place: 1 },
        unique: true,
        partialFilterExpression: { place: { $exists: true } },
      },
    ],
    collisions: { email: emailTaken, company_place: placeTaken },
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
    async placesOf(companyId) {
      const living = { companyId, _deleted: false } as object;
      const options = { projection: { place: 1 }, maxTimeMS: QUERY_TIME_MAX_MS };
      const found = await employees.collection.find(living, options).toArray();
      return found.map(({ place }) => place);
    },
  };
}
