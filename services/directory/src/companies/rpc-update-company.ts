import { Refused, refusal } from '@parley/errors';
import type { CompanyService } from '@parley/proto/directory/v1/companies_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { CompanyDeps } from './company-deps.ts';
import { mayChangeTwoFactorRule, updateCompany } from './company.ts';
import { changeFromProto, companyToProto } from './company-proto.ts';

export const updateCompanyRpc =
  ({ companies }: CompanyDeps): Handler<typeof CompanyService.method.updateCompany, EmployeePrincipal> =>
  async (request, { principal }) => {
    const { companyId } = principal;
    const change = changeFromProto(request);
    if (change.requiresTwoFactor !== undefined && !mayChangeTwoFactorRule(principal))
      throw new Refused(refusal('forbidden', 'forbidden'));
    const company = await companies.of(companyId).change(companyId, (current) => updateCompany(current, change));
    companies.forgetCountry(companyId);
    return { company: companyToProto(company) };
  };
