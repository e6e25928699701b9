import { notFound, Refused } from '@parley/errors';
import type { CompanyService } from '@parley/proto/directory/v1/companies_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { CompanyDeps } from './company-deps.ts';
import { companyToProto } from './company-proto.ts';

export const getCompanyRpc =
  ({ companies }: CompanyDeps): Handler<typeof CompanyService.method.getCompany, EmployeePrincipal> =>
  async (_request, { principal: { companyId } }) => {
    const company = await companies.of(companyId).get(companyId);
    if (!company) throw new Refused(notFound);
    return { company: companyToProto(company) };
  };
