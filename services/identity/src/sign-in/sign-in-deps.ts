import type { Clock } from '@parley/clock';
import type { Encryptor } from '@parley/secrets';
import type { Accounts } from '../accounts/account-store.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import type { Devices } from '../devices/device-store.ts';
import type { ResetRequests } from '../password-resets/reset-request-store.ts';
import type { Sessions } from '../sessions/session-store.ts';
import type { SessionVerifier } from '../sessions/verify-session.ts';
import type { Throttles } from '../throttles/throttle-store.ts';

/** What signing in works with. */
export interface SignInDeps {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly devices: Devices;
  readonly throttles: Throttles;
  readonly companyRules: CompanyRules;
  readonly verifySession: SessionVerifier;
  readonly encryptor: Encryptor;
  readonly resetRequests: ResetRequests;
  /** There is an e-mail to send. */
  readonly mailPlanned: () => void;
  readonly clock: Clock;
}
