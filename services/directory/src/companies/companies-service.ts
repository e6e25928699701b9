import { CompanyService } from '@parley/proto/directory/v1/companies_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { CompanyDeps } from './company-deps.ts';
import { getCompanyRpc } from './rpc-get-company.ts';
import { updateCompanyRpc } from './rpc-update-company.ts';

/** Every RPC of the contract and the file of its handler. */
export function addCompanyService(server: RpcServer, deps: CompanyDeps): void {
  const accessRules = { getCompany: employees.withRole('member'), updateCompany: employees.withRole('admin') };
  server.add(CompanyService, accessRules, { getCompany: getCompanyRpc(deps), updateCompany: updateCompanyRpc(deps) });
}
