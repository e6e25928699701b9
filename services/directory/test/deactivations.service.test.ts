import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EmployeeCopyService } from '@parley/proto/call_control/v1/presence_pb';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { type Employee, EmployeeService, Role } from '@parley/proto/directory/v1/employees_pb';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { DeactivationReportService, type ReportDeactivationRequest } from '@parley/proto/identity/v1/deactivations_pb';
import { type EmployeePrincipal, type RpcClient, Unavailable } from '@parley/rpc';
import { newId } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { asEmployee, fakeContract, withRole } from '@parley/testkit/service';
import { startDirectory, type TestCompany, type TestDirectory } from './start-directory.ts';

type As = { as: EmployeePrincipal };

let directory: TestDirectory;
let company: TestCompany;
let employees: RpcClient<typeof EmployeeService>;
let elsewhere: RpcClient<typeof EmployeeService>;
/** Whom identity and call-control have read, in order. */
let refreshed: { identity: string[]; callControl: string[] };
let reports: ReportDeactivationRequest[];
let isIdentityDown = false;
let isCallControlDown = false;

const unless = async (isDown: boolean, answer: () => void) => {
  if (isDown) throw new Unavailable('stopped by the test');
  answer();
  return {};
};

beforeAll(async () => {
  directory = await startDirectory(
    { EMPLOYEES_MAX: '3' },
    {
      identity: [
        fakeContract(CredentialService, {
          refreshEmployee: ({ employeeId }) => unless(isIdentityDown, () => refreshed.identity.push(employeeId)),
        }),
        fakeContract(DeactivationReportService, {
          reportDeactivation: (report) => unless(isIdentityDown, () => reports.push(report)),
        }),
      ],
      'call-control': [
        fakeContract(EmployeeCopyService, {
          refreshEmployeeCopy: ({ employeeId }) =>
            unless(isCallControlDown, () => refreshed.callControl.push(employeeId)),
        }),
      ],
    },
  );
  employees = directory.gateway.client(EmployeeService);
  elsewhere = (await directory.replica()).as('gateway').client(EmployeeService);
});
beforeEach(async () => {
  refreshed = { identity: [], callControl: [] };
  reports = [];
  [isIdentityDown, isCallControlDown] = [false, false];
  directory.numbersRouting.targeting = async () => [];
  company = await directory.createCompany();
});
afterAll(() => directory?.stop());

const hire = async (role = Role.MEMBER): Promise<Employee> => {
  const details = { name: 'Emma', email: `${newId('e')}@example.com`, role };
  const { employee } = await employees.createEmployee(details, company.owner);
  return employee!;
};
const as = ({ id }: Employee, role: EmployeePrincipal['role']): As => asEmployee(company.id, id, newId('key'), role);
const deactivate = async (id: string, by: As = company.owner, at = employees) =>
  (await at.deactivateEmployee({ id }, by)).employee!;
const reactivate = async (id: string, by: As = company.owner) =>
  (await employees.reactivateEmployee({ id }, by)).employee!;
const read = async (id: string) => (await employees.readEmployee({ id }, company.owner)).employee!;
const refused = (code: string) => ({ refusal: expect.objectContaining({ code }) });
const listed = async (active?: boolean) => {
  const ids: string[] = [];
  for await (const chunk of employees.listEmployees({ active }, company.owner))
    ids.push(...chunk.employees.map(({ id }) => id));
  return ids;
};

describe('a deactivation', () => {
  it('a deactivation is answered once identity has read the employee, and call-control reads them too', async () => {
    const { id } = await hire();
    const employee = await deactivate(id);
    expect(employee.deactivatedAt).toBeDefined();
    expect(refreshed.identity).toContain(id);
    await waitUntil(() => refreshed.callControl.includes(id), { what: 'call-control to read the employee' });
    expect(await read(id)).toEqual(employee);
    await waitUntil(
      () => directory.published.filter((fact) => fact.employee?.id === id && fact.employee.deactivatedAt).length === 1,
      { what: 'the event' },
    );
  });

  it('a deactivation has the same answer when it is repeated, and so has its end', async () => {
    const { id } = await hire();
    const once = await deactivate(id);
    expect(await deactivate(id)).toEqual(once);
    const back = await reactivate(id);
    expect(back.deactivatedAt).toBeUndefined();
    expect(await reactivate(id)).toEqual(back);
    const at = once.deactivatedAt && timestampDate(once.deactivatedAt);
    expect(at).toBeInstanceOf(Date);
  });

  it('a deactivation requested twenty times at once through two replicas happens once', async () => {
    const { id } = await hire();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => deactivate(id, company.owner, n % 2 === 0 ? employees : elsewhere)),
    );
    expect(new Set(answers.map(({ revision }) => revision)).size).toBe(1);
  });

  it('a deactivation that identity did not hear of is refused, stays, and reaches identity when it is back', async () => {
    const { id } = await hire();
    isIdentityDown = true;
    await expect(deactivate(id)).rejects.toBeInstanceOf(Unavailable);
    expect((await read(id)).deactivatedAt).toBeDefined();
    // The repetition is no success either: it would promise that no credential works.
    await expect(deactivate(id)).rejects.toBeInstanceOf(Unavailable);
    isIdentityDown = false;
    await waitUntil(() => refreshed.identity.includes(id), { what: 'identity to read the employee' });
  });

  it('a deactivation does not wait for call-control, which reads the employee when it is back', async () => {
    const { id } = await hire();
    isCallControlDown = true;
    expect((await deactivate(id)).deactivatedAt).toBeDefined();
    isCallControlDown = false;
    await waitUntil(() => refreshed.callControl.includes(id), { what: 'call-control to read the employee' });
  });

  it('a deactivation whose process ends before identity hears of it is told to identity by the next one', async () => {
    const { id } = await hire();
    isIdentityDown = true;
    await expect(deactivate(id)).rejects.toBeInstanceOf(Unavailable);
    await directory.stopService();
    isIdentityDown = false;
    await directory.restart();
    await waitUntil(() => refreshed.identity.includes(id), { what: 'identity to read the employee' });
    employees = directory.gateway.client(EmployeeService);
  });

  it('a deactivation is reported with the numbers that ring nobody any more, however often it is requested', async () => {
    const [first, second] = [await hire(), await hire()];
    directory.numbersRouting.targeting = async () => [
      { id: 'num_1', name: 'Both', incomingCallEmployeeIds: [first.id, second.id] },
      { id: 'num_2', name: 'First alone', incomingCallEmployeeIds: [first.id] },
    ];
    const numbersOf = (employee: Employee) =>
      reports.find(({ employeeId }) => employeeId === employee.id)?.businessNumberNames;
    await deactivate(first.id);
    await waitUntil(() => numbersOf(first), { what: 'the report' });
    expect(numbersOf(first)).toEqual(['First alone']);
    await deactivate(second.id);
    await waitUntil(() => numbersOf(second), { what: 'the second report' });
    expect(numbersOf(second)).toEqual(['Both']);
  });
});

describe('who may deactivate whom', () => {
  it('who may deactivate whom: admins everybody but owners, members nobody', async () => {
    const [member, admin] = [await hire(), await hire(Role.ADMIN)];
    const owner = company.owner.as.employeeId;
    const asMember = as(member, 'member');
    const asAdmin = as(admin, 'admin');
    for (const change of [deactivate, reactivate]) {
      await expect(change(admin.id, asMember)).rejects.toMatchObject(refused('forbidden'));
      await expect(change(owner, asAdmin)).rejects.toMatchObject(refused('forbidden'));
      await expect(change('emp_unknown', asAdmin)).rejects.toMatchObject(refused('not_found'));
    }
    expect((await deactivate(member.id, asAdmin)).deactivatedAt).toBeDefined();
    expect((await reactivate(member.id, asAdmin)).deactivatedAt).toBeUndefined();
    await expect(deactivate(admin.id, asAdmin)).rejects.toMatchObject(refused('forbidden'));
  });

  it('who may deactivate whom: an owner another owner, but not through an app', async () => {
    const second = await hire(Role.OWNER);
    const throughApp = { as: { ...company.owner.as, credentialType: 'oauth_token' } } as const;
    await expect(deactivate(second.id, throughApp)).rejects.toMatchObject(refused('forbidden'));
    expect((await deactivate(second.id)).deactivatedAt).toBeDefined();
    await expect(reactivate(second.id, withRole(company.owner, 'admin'))).rejects.toMatchObject(refused('forbidden'));
    expect((await reactivate(second.id)).deactivatedAt).toBeUndefined();
  });
});

describe('the last active owner', () => {
  it('the last active owner can be neither deactivated nor demoted nor deleted', async () => {
    const owner = company.owner.as.employeeId;
    const second = await hire(Role.OWNER);
    await deactivate(second.id);
    await expect(deactivate(owner)).rejects.toMatchObject(refused('last_owner'));
    await expect(employees.updateEmployee({ id: owner, role: Role.MEMBER }, company.owner)).rejects.toMatchObject(
      refused('last_owner'),
    );
    await expect(deactivate(owner, as(second, 'owner'))).rejects.toMatchObject(refused('last_owner'));
    // One who is deactivated is no reason to keep anybody.
    const { employee } = await employees.updateEmployee({ id: second.id, role: Role.ADMIN }, company.owner);
    expect(employee?.role).toBe(Role.ADMIN);
  });

  it('the last active owner is left when two owners deactivate each other at once, at two replicas', async () => {
    const second = await hire(Role.OWNER);
    for (let round = 0; round < 5; round += 1) {
      const outcomes = await Promise.allSettled([
        deactivate(second.id),
        deactivate(company.owner.as.employeeId, as(second, 'owner'), elsewhere),
      ]);
      const active = await listed(true);
      expect(active.length).toBeGreaterThan(0);
      expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
      const [survivor = ''] = active;
      const by = asEmployee(company.id, survivor, newId('key'), 'owner');
      for (const id of await listed(false)) await reactivate(id, by);
    }
  });

  it('the last active owner is who a company is shown by, not one who is deactivated', async () => {
    const second = await hire(Role.OWNER);
    await deactivate(company.owner.as.employeeId, as(second, 'owner'));
    const lookup = directory.as('numbers-routing').client(CompanyLookupService);
    expect((await lookup.lookUpCompany({ id: company.id })).ownerId).toBe(second.id);
  });
});

describe('the cap of employees', () => {
  it('the cap of employees does not count those who are deactivated, and refuses a reactivation beyond it', async () => {
    const [first, second] = [await hire(), await hire()];
    await expect(hire()).rejects.toMatchObject(refused('limit_reached'));
    await deactivate(first.id);
    const third = await hire();
    await expect(reactivate(first.id)).rejects.toMatchObject(refused('limit_reached'));
    expect((await read(first.id)).deactivatedAt).toBeDefined();
    await deactivate(second.id);
    expect((await reactivate(first.id)).deactivatedAt).toBeUndefined();
    await expect(hire()).rejects.toMatchObject(refused('limit_reached'));
    expect(await listed(true)).toEqual([company.owner.as.employeeId, first.id, third.id]);
    expect(await listed(false)).toEqual([second.id]);
    expect(await listed()).toHaveLength(4);
  });

  it('the cap of employees is exact when several are reactivated and hired at once', async () => {
    const [first, second] = [await hire(), await hire()];
    for (const { id } of [first, second]) await deactivate(id);
    const outcomes = await Promise.allSettled([reactivate(first.id), hire(), reactivate(second.id), hire()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await listed(true)).toHaveLength(3);
  });
});
