import type { SearchIndex } from '../search/search-store.ts';
import type { Presences } from '../presence/presence-store.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CallViews } from './call-views.ts';
import type { CountryOf } from '../clients/company-client.ts';

/** What the RPCs of calls work with. */
export interface CallDeps {
  readonly calls: Calls;
  readonly presences: Pick<Presences, 'of'>;
  readonly countryOf: CountryOf;
  readonly views: CallViews;
  readonly search: SearchIndex;
}
