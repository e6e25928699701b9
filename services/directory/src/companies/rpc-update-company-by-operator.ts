import type { CompanyAdminService } from '@parley/proto/directory/v1/companies_pb';
import type { Handler, OperatorPrincipal } from '@parley/rpc';
import type { CompanyDeps } from './company-deps.ts';
import { updateCompanyByOperator } from './company.ts';
import { companyToProto, operatorChangeFromProto } from './company-proto.ts';

export const updateCompanyByOperatorRpc =
  ({ companies }: CompanyDeps): Handler<typeof CompanyAdminService.method.updateCompanyByOperator, OperatorPrincipal> =>
  async (request) => {
    const change = operatorChangeFromProto(request);
    const company = await companies
      .of(request.id)
      .change(request.id, (current) => updateCompanyByOperator(current, change));
    return { company: companyToProto(company) };
  };
