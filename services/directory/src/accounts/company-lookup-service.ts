import { notFound, Refused } from '@parley/errors';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { type RpcServer, services } from '@parley/rpc';
import { type Employees, OLDEST_FIRST } from '../employees/employee-store.ts';
import { companyToProto } from '../companies/company-proto.ts';
import type { AccountDeps } from './account-deps.ts';

/** Every RPC of the contract. */
export function addCompanyLookupService(
  server: RpcServer,
  { companies, employees }: Pick<AccountDeps, 'companies' | 'employees'>,
): void {
  server.add(CompanyLookupService, services('numbers-routing', 'messaging-inbox', 'call-control', 'identity'), {
    async lookUpCompany({ id }) {
      const [company, ownerId] = await Promise.all([companies.of(id).get(id), ownerOf(employees, id)]);
      if (!company) throw new Refused(notFound);
      return { company: companyToProto(company), ownerId };
    },
  });
}

async function ownerOf(employees: Employees, companyId: string): Promise<string> {
  for await (const employee of employees.of(companyId).find({ role: 'owner' }, OLDEST_FIRST, 1)) return employee.id;
  return '';
}
