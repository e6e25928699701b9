import type { EventHandler } from '@parley/events';
import { callerTextOf } from '../search/caller-text.ts';
import type { SearchIndex } from '../search/search-store.ts';

/** Earlier calls of the caller are found by what is known now. */
export const onCallerContextSaved =
  (search: SearchIndex): EventHandler<'directory.caller_context.saved'> =>
  async ({ phone, context }, { companyId }) => {
    await search.updateCaller(companyId, phone, callerTextOf(context));
  };
