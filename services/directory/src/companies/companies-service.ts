import type { Clock } from '@parley/clock';
import { CompanyAdminService, CompanyService } from '@parley/proto/directory/v1/companies_pb';
import { employees, operators, type RpcServer } from '@parley/rpc';
import type { Employees } from '../employees/employee-store.ts';
import type { Companies } from './company-store.ts';
import { createCompanyRpc } from './rpc-create-company.ts';
import { getCompanyRpc } from './rpc-get-company.ts';
import { updateCompanyRpc } from './rpc-update-company.ts';
import { updateCompanyByOperatorRpc } from './rpc-update-company-by-operator.ts';

/** What the RPCs of companies work with. */
export interface CompanyDeps {
  readonly companies: Companies;
  readonly employees: Employees;
  readonly clock: Clock;
}

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
