import { CompanyAdminService } from '@parley/proto/directory/v1/companies_pb';
import { operators, type RpcServer } from '@parley/rpc';
import { updateCompanyByOperatorRpc } from '../companies/rpc-update-company-by-operator.ts';
import type { AccountDeps } from './account-deps.ts';
import { createCompanyRpc } from './rpc-create-company.ts';

/** Every RPC of the contract and the file of its handler. */
export function addCompanyAdminService(server: RpcServer, deps: AccountDeps): void {
  server.add(CompanyAdminService, operators, {
    createCompany: createCompanyRpc(deps),
    updateCompanyByOperator: updateCompanyByOperatorRpc(deps),
  });
}
