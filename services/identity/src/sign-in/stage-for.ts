import type { Account } from '../accounts/account.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import type { Stage } from '../sessions/session.ts';

/** How far somebody has come who has shown one factor, a password or a link from an e-mail. */
export async function stageFor(companyRules: CompanyRules, account: Account): Promise<Stage> {
  if (account.twoFactor) return 'one_time_code';
  return (await companyRules.requiresTwoFactor(account.companyId)) ? 'enrolment' : 'signed_in';
}
