import type { Clock } from '@parley/clock';
import { invalid, notFound, Refused, refusal } from '@parley/errors';
import { newId, type SignedTokens } from '@parley/secrets';
import { CompanyAdminService, CompanyService } from '@parley/proto/directory/v1/companies_pb';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { employees as employeesOnly, operators, type RpcServer, services } from '@parley/rpc';
import { truncateTerms, wordsOf } from '@parley/text';
import { createEmployee, emailTaken } from '../employees/employee.ts';
import { employeeToProto } from '../employees/employee-proto.ts';
import { type Employees, OLDEST_FIRST } from '../employees/employee-store.ts';
import { createCompany, mayChangeTwoFactorRule, updateCompany, updateCompanyByOperator } from '../companies/company.ts';
import { changeFromProto, companyToProto, operatorChangeFromProto } from '../companies/company-proto.ts';
import { type Companies, newestCompanies } from '../companies/company-store.ts';
import type { Integrations } from '../integrations/integration-store.ts';
import { endOfPage, type ListPosition } from '../newest-first/newest-first.ts';

/** It includes the employees, because a company is created together with its owner. */
export interface CompanyDeps {
  readonly companies: Companies;
  readonly employees: Employees;
  readonly integrations: Pick<Integrations, 'connected'>;
  readonly clock: Clock;
  /** The next creation's place in the order. */
  readonly tick: () => number;
  readonly cursors: SignedTokens;
}

const PAGE_LIMIT_MAX = 100;

export function addCompanyServices(server: RpcServer, deps: CompanyDeps): void {
  addCompanyService(server, deps);
  addCompanyAdminService(server, deps);
  addCompanyLookupService(server, deps);
}

function addCompanyService(server: RpcServer, { companies }: CompanyDeps): void {
  const accessRules = { getCompany: employeesOnly.withRole('member'), updateCompany: employeesOnly.withRole('admin') };
  server.add(CompanyService, accessRules, {
    async getCompany(_request, { principal: { companyId } }) {
      const company = await companies.of(companyId).get(companyId);
      if (!company) throw new Refused(notFound);
      return { company: companyToProto(company) };
    },
    async updateCompany(request, { principal }) {
      const { companyId } = principal;
      const change = changeFromProto(request);
      if (change.requiresTwoFactor !== undefined && !mayChangeTwoFactorRule(principal))
        throw new Refused(refusal('forbidden', 'forbidden'));
      const company = await companies.of(companyId).change(companyId, (current) => updateCompany(current, change));
      companies.forgetCountry(companyId);
      return { company: companyToProto(company) };
    },
  });
}

function addCompanyAdminService(server: RpcServer, { companies, employees, clock, tick, cursors }: CompanyDeps): void {
  server.add(CompanyAdminService, operators, {
    /**
     * Everything is decided before anything is written. The company is written first: if the owner cannot be written (a crash,
     * an address taken at the same time), the result is a company without employees, which blocks no address.
     */
    async createCompany(request) {
      const companyId = newId('com');
      const company = createCompany({ id: companyId, createdOrder: tick() }, request);
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
    },
    async getCompanyByOperator({ id }) {
      const company = await companies.of(id).get(id);
      if (!company) throw new Refused(notFound);
      return { company: companyToProto(company) };
    },
    async listCompanies({ query, cursor, limit: requested }) {
      const scope = ['companies', query.trim()];
      const after = cursor === '' ? undefined : (cursors.open(cursor, scope) as ListPosition | undefined);
      if (cursor !== '' && !after) throw new Refused(invalid({ cursor: ['is invalid'] }));
      const limit = Math.min(Math.max(requested, 1), PAGE_LIMIT_MAX);
      // One more than requested, to detect whether there is a next page.
      const found = await newestCompanies(companies, truncateTerms(wordsOf(query)), limit + 1, after);
      const page = found.slice(0, limit);
      const end = endOfPage(page, after);
      const nextCursor = end && found.length > limit ? cursors.seal(end, scope) : '';
      return { companies: page.map(companyToProto), nextCursor };
    },
    async updateCompanyByOperator(request) {
      const change = operatorChangeFromProto(request);
      const company = await companies
        .of(request.id)
        .change(request.id, (current) => updateCompanyByOperator(current, change));
      return { company: companyToProto(company) };
    },
  });
}

function addCompanyLookupService(server: RpcServer, { companies, employees, integrations }: CompanyDeps): void {
  server.add(
    CompanyLookupService,
    services('assistant', 'numbers-routing', 'messaging-inbox', 'call-control', 'reports'),
    {
      async lookUpCompany({ id }) {
        const [company, ownerId, connected] = await Promise.all([
          companies.of(id).get(id),
          ownerOf(employees, id),
          integrations.connected(id),
        ]);
        if (!company) throw new Refused(notFound);
        return { company: companyToProto(company), ownerId, hasIntegrations: connected.length > 0 };
      },
    },
  );
}

/** The operator's request has the owner's fields below `owner`. */
function ownerFields(refused: Refused['refusal']): Refused['refusal'] {
  const fields = Object.fromEntries(
    Object.entries(refused.fields ?? {}).map(([field, problems]) => [`owner.${field}`, problems]),
  );
  return { ...refused, fields };
}

/** The first active owner. */
async function ownerOf(employees: Employees, companyId: string): Promise<string> {
  const active = { role: 'owner', deactivatedAt: { $exists: false } } as const;
  for await (const employee of employees.of(companyId).find(active, OLDEST_FIRST, 1)) return employee.id;
  return '';
}
