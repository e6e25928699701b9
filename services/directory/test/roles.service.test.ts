import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { CompanyService } from '@parley/proto/directory/v1/companies_pb';
import {
  type Employee,
  EmployeeDirectoryService,
  EmployeeService,
  Role,
} from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal, RpcClient } from '@parley/rpc';
import { asEmployee, withRole } from '@parley/testkit/service';
import { startDirectory, type TestCompany, type TestDirectory } from './start-directory.ts';

let directory: TestDirectory;
let company: TestCompany;
let employees: RpcClient<typeof EmployeeService>;
let elsewhere: RpcClient<typeof EmployeeService>;

beforeAll(async () => {
  directory = await startDirectory();
  employees = directory.gateway.client(EmployeeService);
  elsewhere = (await directory.replica()).as('gateway').client(EmployeeService);
});
beforeEach(async () => {
  company = await directory.createCompany();
});
afterAll(() => directory?.stop());

type As = { as: EmployeePrincipal };
const hire = async (role = Role.UNSPECIFIED, as: As = company.owner): Promise<Employee> => {
  const { employee } = await employees.createEmployee({ name: 'Emma', email: `${newId('e')}@example.com`, role }, as);
  return employee!;
};
const as = ({ id }: Employee, role: EmployeePrincipal['role']): As => asEmployee(company.id, id, newId('key'), role);
const read = async (id: string) => (await employees.readEmployee({ id }, company.owner)).employee!;
const roles = async (): Promise<Role[]> => {
  const found: Role[] = [];
  for await (const chunk of employees.listEmployees({}, company.owner))
    found.push(...chunk.employees.map(({ role }) => role));
  return found;
};
const refused = (code: string) => ({ refusal: expect.objectContaining({ code }) });
const stored = () => directory.db.collection<{ _id: string; [field: string]: unknown }>('employees');

describe('roles', () => {
  it('roles are owner for the first employee and member for others, unless another one is given', async () => {
    await hire();
    await hire(Role.ADMIN);
    expect(await roles()).toEqual([Role.OWNER, Role.MEMBER, Role.ADMIN]);
  });

  it('roles are checked by the service, whatever the gateway did', async () => {
    const member = await hire();
    const other = await hire();
    const asMember = as(member, 'member');
    const forbidden = refused('forbidden');
    await expect(hire(Role.MEMBER, asMember)).rejects.toMatchObject(forbidden);
    await expect(employees.deleteEmployee({ id: other.id }, asMember)).rejects.toMatchObject(forbidden);
    for (const id of [other.id, 'emp_unknown', (await directory.createCompany()).owner.as.employeeId])
      await expect(employees.updateEmployee({ id, name: 'X' }, asMember)).rejects.toMatchObject(forbidden);
    await expect(employees.updateEmployee({ id: member.id, role: Role.ADMIN }, asMember)).rejects.toMatchObject(
      forbidden,
    );
    const { employee } = await employees.updateEmployee({ id: member.id, name: 'Own' }, asMember);
    expect(employee?.name).toBe('Own');
    const asAdmin = as(await hire(Role.ADMIN), 'admin');
    const owner = company.owner.as.employeeId;
    await expect(employees.updateEmployee({ id: owner, name: 'X' }, asAdmin)).rejects.toMatchObject(forbidden);
    await expect(employees.deleteEmployee({ id: owner }, asAdmin)).rejects.toMatchObject(forbidden);
    await expect(hire(Role.OWNER, asAdmin)).rejects.toMatchObject(forbidden);
  });

  it('roles decide about the rule for second factors', async () => {
    const companies = directory.gateway.client(CompanyService);
    const { owner } = company;
    const throughApp = { as: { ...owner.as, credentialType: 'oauth_token' } } as const;
    const rule = { requiresTwoFactor: true };
    await expect(companies.updateCompany({ city: { value: 'X' } }, withRole(owner, 'member'))).rejects.toThrow(
      'forbidden',
    );
    await expect(companies.updateCompany(rule, withRole(owner, 'admin'))).rejects.toThrow('forbidden');
    await expect(companies.updateCompany(rule, throughApp)).rejects.toThrow('forbidden');
    expect((await companies.updateCompany(rule, owner)).company?.requiresTwoFactor).toBe(true);
  });
});

describe('owners', () => {
  const demote = (id: string, by: As, at = employees) => at.updateEmployee({ id, role: Role.MEMBER }, by);

  it('owners are at least one', async () => {
    const { owner } = company;
    const id = owner.as.employeeId;
    await expect(demote(id, owner)).rejects.toMatchObject(refused('last_owner'));
    await expect(employees.deleteEmployee({ id }, owner)).rejects.toMatchObject(refused('last_owner'));
    const second = await hire(Role.OWNER);
    await expect(employees.deleteEmployee({ id }, owner)).rejects.toMatchObject(refused('forbidden'));
    await demote(id, owner);
    await expect(demote(second.id, as(second, 'owner'))).rejects.toMatchObject(refused('last_owner'));
    expect(await roles()).toEqual([Role.MEMBER, Role.OWNER]);
  });

  it('owners who demote or remove each other at once, at two replicas, leave one', async () => {
    for (let round = 0; round < 8; round += 1) {
      company = await directory.createCompany();
      const { owner } = company;
      const second = await hire(Role.OWNER);
      const asSecond = as(second, 'owner');
      const remove = (id: string, by: As, at: typeof employees) => at.deleteEmployee({ id }, by);
      const [first, other] = round % 2 === 0 ? [demote, remove] : [remove, demote];
      const outcomes = await Promise.allSettled([
        first(second.id, owner, employees),
        other(owner.as.employeeId, asSecond, elsewhere),
      ]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const owners = await stored().find({ companyId: company.id, role: 'owner', _deleted: false }).toArray();
      expect(owners).toHaveLength(1);
    }
  });

  it('owners whose demotion was cut off by a crash are owners still, and another one can leave', async () => {
    const second = await hire(Role.OWNER);
    const { owner } = company;
    // The state after a crash between the two writes: the list no longer counts the second owner, the record still has the role
    // owner.
    const lists = directory.db.collection<{ _id: string }>('company_owners');
    const change = { sequence: 1, employeeId: second.id, until: new Date(Date.now() - 1) };
    await lists.updateOne(
      { _id: company.id },
      { $set: { ownerIds: [owner.as.employeeId], sequence: 1, changes: [change] }, $inc: { _version: 1 } },
    );
    await demote(owner.as.employeeId, owner);
    expect(await roles()).toEqual([Role.MEMBER, Role.OWNER]);
    // The killed process cannot finish its demotion any more: its sequence is spent.
    expect(await stored().findOne({ _id: second.id })).toMatchObject({ role: 'owner', ownerSequence: 1 });
  });

  it('owners who were made just before a crash count as well', async () => {
    const { owner } = company;
    const second = await hire(Role.OWNER);
    const lists = directory.db.collection<{ _id: string }>('company_owners');
    await lists.updateOne({ _id: company.id }, { $set: { ownerIds: [owner.as.employeeId] }, $inc: { _version: 1 } });
    await demote(owner.as.employeeId, owner);
    expect((await read(second.id)).role).toBe(Role.OWNER);
  });

  it('owners stay owners when the change that would demote them is invalid', async () => {
    const second = await hire(Role.OWNER);
    const taken = await hire();
    const change = { id: second.id, role: Role.MEMBER, email: taken.email };
    await expect(employees.updateEmployee(change, company.owner)).rejects.toMatchObject(refused('validation_failed'));
    expect((await read(second.id)).role).toBe(Role.OWNER);
    await demote(company.owner.as.employeeId, company.owner);
  });
});

describe('a new e-mail address', () => {
  const confirm = (id: string, emailChange: bigint) =>
    directory.as('identity').client(EmployeeDirectoryService).confirmEmail({ employeeId: id, emailChange });
  const change = async (id: string, email: string, at = employees) =>
    (await at.updateEmployee({ id, email }, company.owner)).employee!;
  const taken = refused('validation_failed');

  it('the new address of an employee who has signed in waits for a confirmation, and both are reserved', async () => {
    const id = company.owner.as.employeeId;
    const old = (await read(id)).email;
    const email = `${newId('n')}@example.com`;
    const changed = await change(id, email);
    expect(changed).toMatchObject({ email, signInEmail: old, emailConfirmationPending: true });
    const other = await hire();
    for (const address of [old, email.toUpperCase()])
      await expect(change(other.id, address)).rejects.toMatchObject(taken);
    await expect(
      employees.createEmployee({ name: 'E', email: old }, (await directory.createCompany()).owner),
    ).rejects.toMatchObject(taken);
    await confirm(id, changed.emailChange);
    await confirm(id, changed.emailChange);
    expect(await read(id)).toMatchObject({ email, signInEmail: email, emailConfirmationPending: false });
    expect((await change(other.id, old)).email).toBe(old);
  });

  it('the new address of an invited employee counts at once', async () => {
    const invited = await hire();
    const email = `${newId('n')}@example.com`;
    expect(await change(invited.id, email)).toMatchObject({ signInEmail: email, emailConfirmationPending: false });
  });

  it('a new e-mail address makes the confirmation of an earlier one outdated', async () => {
    const id = company.owner.as.employeeId;
    const first = await change(id, `${newId('n')}@example.com`);
    const second = await change(id, `${newId('n')}@example.com`);
    await expect(confirm(id, first.emailChange)).rejects.toMatchObject(refused('not_found'));
    expect(await read(id)).toMatchObject({ email: second.email, emailConfirmationPending: true });
  });

  it('an address is given once, when two companies want it at the same moment', async () => {
    const email = `${newId('n')}@example.com`;
    const other = await directory.createCompany();
    const outcomes = await Promise.allSettled([
      change(company.owner.as.employeeId, email),
      elsewhere.updateEmployee({ id: other.owner.as.employeeId, email }, other.owner),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('an address is confirmed by identity only', async () => {
    const lookup = directory.as('call-control').client(EmployeeDirectoryService);
    await expect(lookup.confirmEmail({ employeeId: company.owner.as.employeeId, emailChange: 1n })).rejects.toThrow(
      'forbidden',
    );
  });
});
