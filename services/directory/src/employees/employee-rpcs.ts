import type { Clock } from '@parley/clock';
import { notFound, type Refusal, refusal, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import {
  EmployeeDirectoryService,
  EmployeeLookupService,
  EmployeeService,
} from '@parley/proto/directory/v1/employees_pb';
import type { RoutingService, TargetingNumber } from '@parley/proto/numbers_routing/v1/routing_pb';
import { roleFromProto } from '@parley/actor';
import {
  type EmployeePrincipal,
  employees as employeesOnly,
  type Handler,
  operatorsOr,
  type RpcClient,
  type RpcServer,
  services,
} from '@parley/rpc';
import type { Companies } from '../companies/company-store.ts';
import { lastOwner } from './company-owners.ts';
import { type DeactivationDeps, deactivateEmployeeRpc, reactivateEmployeeRpc } from './deactivation-rpcs.ts';
import {
  beginDeletion,
  cancelDeletion,
  confirmEmail,
  createEmployee,
  deleteEmployee,
  isBeingDeleted,
  recordSignIn,
  updateEmployee,
} from './employee.ts';
import { changeFromProto, employeeToProto } from './employee-proto.ts';
import { forbidden, mayAddEmployee, mayChangeEmployee, mayRemoveEmployee } from './employee-permissions.ts';
import { readForwardTo } from './forward-to.ts';
import { type Employees, hireEmployee, OLDEST_FIRST } from './employee-store.ts';

interface EmployeeDeps extends DeactivationDeps {
  readonly companies: Companies;
  readonly routing: Pick<RpcClient<typeof RoutingService>, 'listNumbersTargeting' | 'getNumberByE164'>;
  /** The machine's time, for leases between processes. */
  readonly machineClock: Clock;
}

/** Longer than a request can last: no assignment is accepted while a deletion is still running. */
const LEAVING_MS = 30_000;

export function addEmployeeServices(server: RpcServer, deps: EmployeeDeps): void {
  addEmployeeService(server, deps);
  addEmployeeDirectoryService(server, deps);
  // The operator, identity, call-control and the sandbox name an employee without naming the company.
  server.add(EmployeeLookupService, operatorsOr('identity', 'call-control', 'sandbox'), {
    async getEmployee({ id }) {
      const employee = await deps.employees.acrossCompanies.get(id);
      if (!employee) throw new Refused(notFound);
      return { employee: employeeToProto(employee) };
    },
  });
}

function addEmployeeService(server: RpcServer, deps: EmployeeDeps): void {
  const { employees, companies, clock, employeesMax, ownership } = deps;
  const [member, admin] = [employeesOnly.withRole('member'), employeesOnly.withRole('admin')];
  // Members change their own name and phone number: `mayChangeEmployee` decides.
  const accessRules = {
    createEmployee: admin,
    readEmployee: member,
    listEmployees: member,
    updateEmployee: member,
    deleteEmployee: admin,
    deactivateEmployee: admin,
    reactivateEmployee: admin,
  };
  server.add(EmployeeService, accessRules, {
    async createEmployee({ name, email, phone = null, role: requested }, { principal }) {
      const { companyId } = principal;
      const role = roleFromProto(requested) ?? 'member';
      if (!mayAddEmployee(principal, role)) throw new Refused(forbidden);
      const country = await companies.countryOf(companyId);
      const identity = { id: newId('emp'), companyId };
      const decision = createEmployee(identity, { name, email, phone, role, invited: true }, country, clock.now());
      const hire = () => hireEmployee(employees, companyId, decision, employeesMax);
      const employee = await (role === 'owner' ? ownership.make(companyId, undefined, hire) : hire());
      return { employee: employeeToProto(employee) };
    },
    async readEmployee({ id }, { principal: { companyId } }) {
      const employee = await employees.of(companyId).get(id);
      if (!employee) throw new Refused(notFound);
      return { employee: employeeToProto(employee) };
    },
    async *listEmployees({ active }, { principal: { companyId } }) {
      yield* employeeChunks(employees, companyId, active);
    },
    updateEmployee: updateEmployeeRpc(deps),
    deleteEmployee: deleteEmployeeRpc(deps),
    deactivateEmployee: deactivateEmployeeRpc(deps),
    reactivateEmployee: reactivateEmployeeRpc(deps),
  });
}

const updateEmployeeRpc =
  (deps: EmployeeDeps): Handler<typeof EmployeeService.method.updateEmployee, EmployeePrincipal> =>
  async (request, { principal }) => {
    const { employees, companies, clock, ownership } = deps;
    const { companyId } = principal;
    const requested = changeFromProto(request);
    const isMember = principal.role === 'member';
    // A member is refused before anything is looked up, so that unknown ids are refused as well.
    if (isMember && !mayChangeEmployee(principal, { id: request.id, role: 'member' }, requested))
      throw new Refused(forbidden);
    const change = await readForwardTo(deps, companyId, requested);
    const country = await companies.countryOf(companyId);
    const own = employees.of(companyId);
    const known = await own.get(request.id);
    if (!known) throw new Refused(notFound);

    const write = (ownerSequence?: number) =>
      own.change(request.id, (current) =>
        mayChangeEmployee(principal, current, change)
          ? updateEmployee(current, change, country, clock.now(), ownerSequence)
          : { ok: false, refusal: forbidden },
      );
    const employee = await decideOwnership();
    return { employee: employeeToProto(employee) };

    /** An owner is made or unmade only by what is valid otherwise: it is decided on the known record first. */
    async function decideOwnership() {
      if (!known || change.role === undefined || change.role === known.role) return write();
      if (known.role !== 'owner' && change.role !== 'owner') return write();
      if (!mayChangeEmployee(principal, known, change)) throw new Refused(forbidden);
      const preview = updateEmployee(known, change, country, clock.now(), Number.MAX_SAFE_INTEGER);
      if (!preview.ok) throw new Refused(preview.refusal);
      return known.role === 'owner'
        ? ownership.unmake(companyId, request.id, write)
        : ownership.make(companyId, request.id, write);
    }
  };

/**
 * A number must never transfer to a deleted employee. First the employee is marked as leaving: from then on `CheckEmployees`
 * refuses the employee to services that assign calls. Only then is routing queried, which counts assignments in progress as in
 * use. The first of the two wins, and the other is refused. A mark left by a crash expires.
 */
const deleteEmployeeRpc =
  ({
    employees,
    routing,
    machineClock,
    ownership,
  }: EmployeeDeps): Handler<typeof EmployeeService.method.deleteEmployee, EmployeePrincipal> =>
  async ({ id }, { principal }) => {
    const { companyId, employeeId } = principal;
    const own = employees.of(companyId);
    const target = await own.get(id);
    if (!target) throw new Refused(notFound);
    if (!mayRemoveEmployee(principal, target)) throw new Refused(forbidden);
    if (id === employeeId) {
      const isLast = target.role === 'owner' && (await ownership.isLastOwner(companyId, id));
      throw new Refused(isLast ? lastOwner : forbidden);
    }
    const until = new Date(machineClock.now().getTime() + LEAVING_MS);
    await own.change(id, (current) => beginDeletion(current, until));
    const { numbers } = await routing.listNumbersTargeting({ companyId, employeeId: id }).catch(async (error) => {
      await own.change(id, cancelDeletion).catch(() => undefined);
      throw error;
    });
    if (numbers.length > 0) {
      await own.change(id, cancelDeletion);
      throw new Refused(inUse(numbers));
    }
    const remove = (ownerSequence?: number) =>
      own.change(id, (current) =>
        mayRemoveEmployee(principal, current)
          ? deleteEmployee(current, machineClock.now(), ownerSequence)
          : { ok: false, refusal: forbidden },
      );
    await (target.role === 'owner' ? ownership.unmake(companyId, id, remove) : remove()).catch(async (error) => {
      await own.changeIfExists(id, cancelDeletion).catch(() => undefined);
      throw error;
    });
    return {};
  };

function inUse(numbers: readonly TargetingNumber[]): Refusal {
  const mainNumbers = numbers.map(({ id, name }) => ({ id, name }));
  return refusal('employee_in_use', 'the employee is a call target', { extra: { main_numbers: mainNumbers } });
}

function addEmployeeDirectoryService(server: RpcServer, { employees, clock, machineClock }: EmployeeDeps): void {
  const followers = services('assistant', 'numbers-routing', 'call-control', 'messaging-inbox', 'identity', 'reports');
  const accessRules = {
    checkEmployees: followers,
    recordSignIn: services('call-control'),
    listCompanyEmployees: followers,
    confirmEmail: services('identity'),
  };
  server.add(EmployeeDirectoryService, accessRules, {
    async checkEmployees({ companyId, employeeIds }) {
      const ids = [...new Set(employeeIds)];
      const known = await employees.byIds(companyId, ids);
      const now = machineClock.now();
      const found = ids.flatMap((id) => known.get(id) ?? []);
      return {
        employees: found.filter((one) => !isBeingDeleted(one, now)).map((one) => employeeToProto(one)),
        unknownIds: ids.filter((id) => !known.has(id)),
        leavingIds: found.filter((one) => isBeingDeleted(one, now)).map(({ id }) => id),
      };
    },
    /** A service that saw the sign-in names the employee without naming the company. */
    async recordSignIn({ employeeId }) {
      const known = await employees.acrossCompanies.get(employeeId);
      if (!known) throw new Refused(notFound);
      if (!known.invitationPending) return { employee: employeeToProto(known) };
      const employee = await employees
        .of(known.companyId)
        .change(employeeId, (current) => recordSignIn(current, clock.now()));
      return { employee: employeeToProto(employee) };
    },
    async *listCompanyEmployees({ companyId }) {
      yield* employeeChunks(employees, companyId);
    },
    /** Identity has verified who confirms; it names the employee without naming the company. */
    async confirmEmail({ employeeId, emailChange }) {
      const known = await employees.acrossCompanies.get(employeeId);
      if (!known) throw new Refused(notFound);
      const employee = await employees
        .of(known.companyId)
        .change(employeeId, (current) => confirmEmail(current, Number(emailChange), clock.now()));
      return { employee: employeeToProto(employee) };
    },
  });
}

/** `active`: only those who are, or are not. */
async function* employeeChunks(employees: Employees, companyId: string, active?: boolean) {
  const filter = active === undefined ? {} : { deactivatedAt: { $exists: !active } };
  for await (const chunk of employees.of(companyId).findInChunks(filter, OLDEST_FIRST)) {
    yield { employees: chunk.map(employeeToProto) };
  }
}
