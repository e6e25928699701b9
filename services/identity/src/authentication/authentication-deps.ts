import type { Clock } from '@parley/clock';
import type { Encryptor } from '@parley/secrets';
import type { Accounts } from '../accounts/account-store.ts';
import type { FailedSignInRecorder } from './record-failed-sign-in.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import type { Devices } from '../devices/device-store.ts';
import type { Sessions } from '../sessions/session-store.ts';
import type { SessionVerifier } from '../sessions/verify-session.ts';
import type { Throttles } from '../throttles/throttle-store.ts';

export interface AuthenticationDeps {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly devices: Devices;
  readonly throttles: Throttles;
  readonly companyRules: CompanyRules;
  readonly verifySession: SessionVerifier;
  readonly encryptor: Encryptor;
  readonly recordFailedSignIn: FailedSignInRecorder;
  readonly clock: Clock;
}
