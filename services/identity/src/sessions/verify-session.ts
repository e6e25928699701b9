import type { Clock } from '@parley/clock';
import type { Account } from '../accounts/account.ts';
import type { Accounts } from '../accounts/account-store.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import { isLive, type Session, type Stage } from './session.ts';
import type { Sessions } from './session-store.ts';

/** A session that counts, and whose it is. */
export interface VerifiedSession {
  readonly session: Session;
  readonly account: Account;
  /** The stage under the current rules of the company, which may have changed since the sign-in. */
  readonly stage: Stage;
}

export type SessionVerifier = (secret: string) => Promise<VerifiedSession | undefined>;

/** If the company requires a second factor, an employee without one must set it up first. */
export function sessionVerifier(deps: {
  sessions: Sessions;
  accounts: Accounts;
  companyRules: CompanyRules;
  clock: Clock;
}): SessionVerifier {
  const { sessions, accounts, companyRules, clock } = deps;
  return async (secret) => {
    if (secret === '') return undefined;
    const session = await sessions.bySecret(secret);
    const account = session && (await accounts.byEmployee(session.employeeId));
    if (!account || !isLive(session, account, clock.now())) return undefined;
    const mustEnrol =
      session.stage === 'signed_in' && !account.twoFactor && (await companyRules.requiresTwoFactor(account.companyId));
    return { session, account, stage: mustEnrol ? 'enrolment' : session.stage };
  };
}
