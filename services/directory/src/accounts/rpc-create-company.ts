import { Refused } from '@parley/errors';
import { newId } from '@parley/ids';
import type { CompanyAdminService } from '@parley/proto/directory/v1/companies_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import { createEmployee, emailTaken } from '../employees/employee.ts';
import { employeeToProto } from '../employees/employee-proto.ts';
import type { AccountDeps } from './account-deps.ts';
import { createCompany } from '../companies/company.ts';
import { companyToProto } from '../companies/company-proto.ts';

/**
 * Everything is decided before anything is written. The company is written first: if the owner cannot be written (a crash, an
 * address taken at the same time), the result is a company without employees, which blocks no address.
 */
export const createCompanyRpc =
  ({
    companies,
    employees,
    clock,
  }: AccountDeps): Handler<typeof CompanyAdminService.method.createCompany, OperatorPrincipal> =>
  async (request) => {
    const companyId = newId('com');
    const company = createCompany(companyId, request);
    const owner = createEmployee(
      { id: newId('emp'), companyId },
      { name: request.ownerName, email: request.ownerEmail, phone: null, role: 'owner', invited: false },
      request.country,
      clock.now(),
    );
    if (!company.ok) throw new Refused(company.refusal);
    if (!owner.ok) throw new Refused(ownerFields(owner.refusal));
    if (await employees.byEmail(request.ownerEmail)) throw new Refused(ownerFields(emailTaken));
    const created = await companies.of(companyId).create(company);
    const ownerEmployee = await employees.of(companyId).create(owner);
    return { company: companyToProto(created), owner: employeeToProto(ownerEmployee) };
  };

/** The operator's request has the owner's fields below `owner`. */
function ownerFields(refusal: Refused['refusal']): Refused['refusal'] {
  const fields = Object.fromEntries(
    Object.entries(refusal.fields ?? {}).map(([field, problems]) => [`owner.${field}`, problems]),
  );
  return { ...refusal, fields };
}
