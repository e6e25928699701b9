import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { migrate } from '@parley/mongo';
import { insertEntities, testMongo } from '@parley/testkit';
import { newestCompanies, openCompanies } from './companies/company-store.ts';
import { contactSearch, openContacts } from './contacts/contact-store.ts';
import { openEmployees } from './employees/employee-store.ts';
import { migrations } from './migrations.ts';

const mongo = testMongo();
afterAll(() => mongo.close());
const db = mongo.database();

const hiredAt = (day: number) => new Date(Date.UTC(2026, 0, day));
const company = (id: string, name: string) => ({ id, companyId: id, name, country: 'DK' });
const employee = (id: string, companyId: string, day: number) => {
  const email = `${id}@x.dk`;
  return { id, companyId, email, emailKey: email, createdAt: hiredAt(day), leavingUntil: null };
};
const withRole = { ...employee('emp_4', 'com_2', 4), role: 'owner', callWaiting: true };

beforeAll(async () => {
  await insertEntities(db, 'companies', [company('com_1', 'Earlier A'), company('com_2', 'Earlier B')]);
  await insertEntities(db, 'employees', [
    employee('emp_2', 'com_1', 2),
    employee('emp_1', 'com_1', 1),
    employee('emp_3', 'com_2', 3),
    withRole,
  ]);
  const name = { name: 'Ane', companyName: null, email: null };
  const contact = { id: 'con_1', companyId: 'com_1', phone: '+4520300007', ...name, createdOrder: 1 };
  await insertEntities(db, 'contacts', [contact]);
  await migrate(db, migrations);
});

describe('data of earlier versions', () => {
  it('companies are listed as old as their first employee, and found by their names', async () => {
    const companies = await openCompanies(db, idleRelay(), systemClock);
    const found = await newestCompanies(companies, ['earlier'], 10);
    expect(found.map(({ id, createdOrder }) => [id, createdOrder])).toEqual([
      ['com_2', hiredAt(3).getTime() * 1000],
      ['com_1', hiredAt(1).getTime() * 1000],
    ]);
    expect(found[0]).toMatchObject({ supervisionEnabled: false, suspended: false, isBeingDeleted: false });
  });

  it('employees have a role: the first of a company without an owner is its owner, others are admins', async () => {
    const employees = await openEmployees(db, idleRelay(), systemClock);
    const byId = new Map([
      ...(await employees.byIds('com_1', ['emp_1', 'emp_2'])),
      ...(await employees.byIds('com_2', ['emp_3', 'emp_4'])),
    ]);
    expect(['emp_1', 'emp_2', 'emp_3', 'emp_4'].map((id) => byId.get(id)?.role)).toEqual([
      'owner',
      'admin',
      'admin',
      'owner',
    ]);
    expect(byId.get('emp_2')).toMatchObject({ callWaiting: false, forwardTo: null, revision: 0, emailChange: 0 });
    expect(byId.get('emp_2')?.emailKeys).toEqual(['emp_2@x.dk']);
    expect(byId.get('emp_4')?.callWaiting).toBe(true);
  });

  it('contacts are found by their words', async () => {
    const contacts = await openContacts(db, idleRelay(), systemClock);
    expect(await contactSearch(contacts)('com_1', ['ane'], 10)).toMatchObject([{ id: 'con_1', revision: 0 }]);
  });
});
