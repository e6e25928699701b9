import type { CompanyDeps } from './company-deps.ts';
import { CompanyAdminService, CompanyService } from '@parley/proto/directory/v1/companies_pb';
import { employees, operators, type RpcServer } from '@parley/rpc';
import { createCompanyRpc } from './rpc-create-company.ts';
import { getCompanyRpc } from './rpc-get-company.ts';
import { updateCompanyRpc } from './rpc-update-company.ts';
import { updateCompanyByOperatorRpc } from './rpc-update-company-by-operator.ts';

/** Every RPC of the contracts and the file that answers it. */
export function addCompanyService(server: RpcServer, deps: CompanyDeps): void {
  server.add(CompanyService, employees, { getCompany: getCompanyRpc(deps), updateCompany: updateCompanyRpc(deps) });
}

export function addCompanyAdminService(server: RpcServer, deps: CompanyDeps): void {
  server.add(CompanyAdminService, operators, {
    createCompany: createCompanyRpc(deps),
    updateCompanyByOperator: updateCompanyByOperatorRpc(deps),
  });
}
