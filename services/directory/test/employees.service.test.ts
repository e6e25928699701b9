import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { type Employee, EmployeeDirectoryService, EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { RpcClient } from '@parley/rpc';
import { documentQueryPlan, waitUntil } from '@parley/testkit';
import { startDirectory, type TestCompany, type TestDirectory } from './start-directory.ts';

let directory: TestDirectory;
let company: TestCompany;
let employees: RpcClient<typeof EmployeeService>;
let lookup: RpcClient<typeof EmployeeDirectoryService>;

beforeAll(async () => {
  directory = await startDirectory({ EMPLOYEES_MAX: '5' });
  employees = directory.gateway.client(EmployeeService);
  lookup = directory.as('numbers-routing').client(EmployeeDirectoryService);
});
beforeEach(async () => {
  company = await directory.createCompany();
  directory.numbersRouting.targeting = async () => [];
});
afterAll(() => directory?.stop());

const hire = async (at = employees): Promise<Employee> => {
  const details = { name: 'Emma', email: `${newId('e')}@example.com` };
  const { employee } = await at.createEmployee(details, company.owner);
  if (!employee) throw new Error('not hired');
  return employee;
};
const read = async ({ id }: Employee) => (await employees.readEmployee({ id }, company.owner)).employee;
const factsAbout = ({ id }: Employee) =>
  directory.published
    .filter(({ employee }) => employee?.id === id)
    .map(({ type }) => type.replace('directory.employee.', ''));
const refused = (code: string) => ({ refusal: expect.objectContaining({ code }) });

describe('the phone that the calls of an employee are forwarded to', () => {
  it('the phone that the calls of an employee are forwarded to is stored as E.164, in events, and removed again', async () => {
    const { id } = await hire();
    const change = async (value?: string) =>
      (await employees.updateEmployee({ id, forwardTo: value === undefined ? {} : { value } }, company.owner)).employee;
    expect((await change('20 30 40 50'))?.forwardTo).toBe('+4520304050');
    await employees.updateEmployee({ id, name: 'Emma B' }, company.owner);
    expect((await employees.readEmployee({ id }, company.owner)).employee?.forwardTo).toBe('+4520304050');
    expect((await change())?.forwardTo).toBeUndefined();
    expect((await change('  '))?.forwardTo).toBeUndefined();
    await waitUntil(() => factsAbout({ id } as Employee).length === 4, { what: 'events' });
    const forwarded = directory.published
      .filter(({ employee }) => employee?.id === id)
      .map((fact) => fact.employee?.forwardTo);
    expect(forwarded).toEqual([undefined, '+4520304050', '+4520304050', undefined]);
  });

  it('the phone that the calls of an employee are forwarded to is refused when the company may not call it, when it is no number, and when it is one of its own', async () => {
    const { id } = await hire();
    const own = directory.numbersRouting.addNumber(company.owner.as.companyId);
    const forward = (value: string) => employees.updateEmployee({ id, forwardTo: { value } }, company.owner);
    await expect(forward('+881 6 1234 5678')).rejects.toMatchObject(refused('destination_not_allowed'));
    for (const wrong of ['112', 'hello', own.number])
      await expect(forward(wrong)).rejects.toMatchObject({ refusal: { fields: { forward_to: [expect.any(String)] } } });
  });
});

describe('employees', () => {
  it('employees are at most as many as a company may have, also when ten are hired at once', async () => {
    for (let count = 1; count < 3; count += 1) await hire();
    const hired = await Promise.allSettled(Array.from({ length: 10 }, () => hire()));
    expect(hired.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(hire()).rejects.toMatchObject(refused('limit_reached'));
  });

  it('employees are no more than a company may have when two processes hire at once, and a slot that becomes free is given again', async () => {
    const elsewhere = (await directory.replica()).as('gateway').client(EmployeeService);
    const at = (index: number) => (index % 2 === 0 ? employees : elsewhere);
    const hired = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => hire(at(index))));
    const staff = hired.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const refusals = hired.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(staff).toHaveLength(4);
    for (const refusal of refusals) expect(refusal).toMatchObject(refused('limit_reached'));
    const [leaver] = staff;
    await employees.deleteEmployee({ id: leaver!.id }, company.owner);
    await hire(elsewhere);
    await expect(hire(elsewhere)).rejects.toMatchObject(refused('limit_reached'));
  });

  it('employees who have no slot, from before there were any, count all the same', async () => {
    for (let count = 0; count < 2; count += 1) await hire();
    const collection = directory.db.collection('employees');
    await collection.updateMany({ companyId: company.id }, { $unset: { slot: '' } });
    await collection.dropIndex('company_slot');
    await directory.restart();
    const hired = await Promise.allSettled(Array.from({ length: 10 }, () => hire()));
    expect(hired.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  it('employees end their invitation when identity publishes a sign-in, once', async () => {
    const employee = await hire();
    await directory.signIn(company.id, employee.id);
    await directory.signIn(company.id, employee.id);
    await waitUntil(async () => !(await read(employee))?.invitationPending, { what: 'the end of the invitation' });
    await waitUntil(() => factsAbout(employee).length === 2, { what: 'the facts' });
    expect(factsAbout(employee)).toEqual(['created', 'updated']);
  });
});

describe('leaving', () => {
  const check = async (...ids: string[]) => lookup.checkEmployees({ companyId: company.id, employeeIds: ids });

  it('leaving is visible to services that assign calls while routing is being checked', async () => {
    const employee = await hire();
    let seen: string[] | undefined;
    directory.numbersRouting.targeting = async (id) => {
      seen = (await check(id)).leavingIds;
      return [];
    };
    await employees.deleteEmployee({ id: employee.id }, company.owner);
    expect(seen).toEqual([employee.id]);
    expect((await check(employee.id)).unknownIds).toEqual([employee.id]);
  });

  it('leaving is undone immediately when the employee is in use, or routing is unavailable', async () => {
    const employee = await hire();
    directory.numbersRouting.targeting = async () => [{ id: 'bus_1', name: 'Sales' }];
    await expect(employees.deleteEmployee({ id: employee.id }, company.owner)).rejects.toMatchObject({
      refusal: { code: 'employee_in_use', extra: { main_numbers: [{ id: 'bus_1', name: 'Sales' }] } },
    });
    directory.numbersRouting.targeting = async () => {
      throw new Error('down');
    };
    await expect(employees.deleteEmployee({ id: employee.id }, company.owner)).rejects.toThrow();
    expect(await check(employee.id)).toMatchObject({ leavingIds: [], employees: [{ id: employee.id }] });
  });

  it('leaving that was interrupted by a crash is undone after a while', async () => {
    const employee = await hire();
    const mark = (ms: number) =>
      directory.db
        .collection<{ _id: string; leavingUntil: Date }>('employees')
        .updateOne({ _id: employee.id }, { $set: { leavingUntil: new Date(Date.now() + ms) } });
    await mark(30_000);
    expect((await check(employee.id)).leavingIds).toEqual([employee.id]);
    await mark(0);
    expect((await check(employee.id)).leavingIds).toEqual([]);
  });

  it('a check of employees distinguishes known, unknown and foreign ones', async () => {
    const employee = await hire();
    const otherCompany = await directory.createCompany();
    const foreign = otherCompany.owner.as.employeeId;
    const answer = await check(employee.id, 'emp_none', foreign, employee.id);
    expect(answer).toMatchObject({
      employees: [{ id: employee.id, name: 'Emma' }],
      unknownIds: ['emp_none', foreign],
      leavingIds: [],
    });
  });
});

it('lists and lookups of employees use an index', async () => {
  const plan = (collection: string, filter: object, sort: Record<string, 1>) =>
    documentQueryPlan(directory.db, collection, filter, { sort });
  const ofCompany = { companyId: company.id };
  expect(await plan('employees', ofCompany, { createdAt: 1, _id: 1 })).toMatchObject({
    index: 'company_oldest',
    isUnindexed: false,
  });
  expect((await plan('employees', ofCompany, {})).index).toMatch(/^company_/);
  expect(await plan('employees', { emailKey: 'x' }, {})).toMatchObject({ index: 'email' });
  expect(await plan('integrations', ofCompany, { kind: 1 })).toMatchObject({ index: 'company_kind' });
});
