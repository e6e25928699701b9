import { notFound, Refused } from '@parley/errors';
import type { EmployeeService } from '@parley/proto/directory/v1/employees_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import { updateEmployee } from './employee.ts';
import { forbidden, mayChangeEmployee } from './employee-access.ts';
import { changeFromProto, employeeToProto } from './employee-proto.ts';
import type { EmployeeDeps } from './employee-deps.ts';

export const updateEmployeeRpc =
  ({
    employees,
    companies,
    clock,
    ownership,
  }: EmployeeDeps): Handler<typeof EmployeeService.method.updateEmployee, EmployeePrincipal> =>
  async (request, { principal }) => {
    const { companyId } = principal;
    const change = changeFromProto(request);
    const target = { id: request.id };
    // A member is refused before anything is looked up, so that unknown ids are refused as well.
    if (principal.role === 'member' && !mayChangeEmployee(principal, target, change)) throw new Refused(forbidden);
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
