import type { Clock } from '@parley/clock';
import type { Accounts } from '../accounts/account-store.ts';
import type { ApiKeys } from './api-key-store.ts';

/** What the RPCs of API keys work with. */
export interface ApiKeyDeps {
  readonly apiKeys: ApiKeys;
  readonly accounts: Accounts;
  readonly clock: Clock;
}
