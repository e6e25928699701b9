import type { Clock } from '@parley/clock';
import type { Accounts } from '../accounts/account-store.ts';
import type { Sessions } from './session-store.ts';

/** What the service of sessions works with. */
export interface SessionDeps {
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly clock: Clock;
}
