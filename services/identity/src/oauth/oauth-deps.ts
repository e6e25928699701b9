import type { BackgroundWork, Clock } from '@parley/clock';
import type { Encryptor } from '@parley/secrets';
import type { Logger } from '@parley/telemetry';
import type { Accounts } from '../accounts/account-store.ts';
import type { Grants } from '../grants/grant-store.ts';
import type { OAuthClients } from '../oauth-clients/oauth-client-store.ts';
import type { SessionVerifier } from '../sessions/verify-session.ts';
import type { Throttles } from '../throttles/throttle-store.ts';

export interface OAuthDeps {
  readonly clients: OAuthClients;
  readonly grants: Grants;
  readonly accounts: Accounts;
  readonly verifySession: SessionVerifier;
  readonly encryptor: Encryptor;
  readonly throttles: Throttles;
  readonly clock: Clock;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
}
