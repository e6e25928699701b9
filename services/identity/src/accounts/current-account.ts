import { notFound, Refused } from '@parley/errors';
import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import type { RpcClient } from '@parley/rpc';
import type { Role } from '@parley/actor';
import { type Account, isOpen } from './account.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import type { Accounts } from './account-store.ts';

/** The account of an employee who exists and is active, of a company that is not suspended, with the role; `known` is the account if it was just read. */
export type CurrentAccount = (
  employeeId: string,
  known?: Account,
) => Promise<(Account & { readonly role: Role }) | undefined>;

/** An account without a role, before the event of a new employee, is read from directory once. */
export function currentAccounts(
  accounts: Accounts,
  employees: Pick<RpcClient<typeof EmployeeLookupService>, 'getEmployee'>,
  companyRules: Pick<CompanyRules, 'isSuspended'>,
): CurrentAccount {
  return async (employeeId, known) => {
    const account = known ?? (await accounts.find(employeeId));
    const current = account && hasRole(account) ? account : await refreshAccount(accounts, employees, employeeId);
    if (!current || !hasRole(current) || !isOpen(current)) return undefined;
    return (await companyRules.isSuspended(current.companyId)) ? undefined : current;
  };
}

/** Applies directory's record of an employee; undefined when there is none. */
export async function refreshAccount(
  accounts: Accounts,
  employees: Pick<RpcClient<typeof EmployeeLookupService>, 'getEmployee'>,
  employeeId: string,
): Promise<Account | undefined> {
  try {
    const { employee } = await employees.getEmployee({ id: employeeId });
    return employee && (await accounts.ensure(employee));
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
    throw error;
  }
}

function hasRole(account: Account): account is Account & { readonly role: Role } {
  return account.role !== undefined;
}
