import type { Account } from '../accounts/account.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import type { Stage } from '../sessions/session.ts';

/** The stage of a sign-in after the first factor, a password or a link from an e-mail. */
export async function stageFor(companyRules: CompanyRules, account: Account): Promise<Stage> {
  if (account.twoFactor) return 'one_time_code';
  return (await companyRules.requiresTwoFactor(account.companyId)) ? 'enrolment' : 'signed_in';
}
