import type { CommandContext, RunningCommands } from '@parley/aggregates';
import type { ContactCopies } from '../contacts/contact-copy-store.ts';
import { finishRebuild, type InboxRebuild, type RebuildCommand, type RebuildCounts } from './inbox-rebuild.ts';
import type { MessageSearch } from '../message-search/message-search-store.ts';
import type { HandlingCopies } from '../threads/handling-copies.ts';
import { rebuildContacts } from './rebuild-contacts.ts';
import { rebuildItems, type RebuildItemsDeps } from './rebuild-items.ts';
import type { InboxRebuilds } from './rebuild-store.ts';

/** Rebuilds at a time in one process: each reads a company's whole history. */
const CONCURRENCY = 2;

/** Executes rebuilds. One that fails, or whose process ends, is repeated. */
export function startRebuilds(
  rebuilds: InboxRebuilds,
  deps: RebuildItemsDeps & {
    readonly contacts: ContactCopies;
    readonly copies: Pick<HandlingCopies, 'copyAll'>;
    readonly search: Pick<MessageSearch, 'addAll'>;
  },
): RunningCommands {
  const { contacts, copies, search, owners } = deps;
  return rebuilds.startCommands<{ rebuild: RebuildCounts }>(
    {
      rebuild: {
        guarantee: 'until_confirmed',
        async execute(_command: RebuildCommand, { companyId, signal }: CommandContext) {
          const copied = await rebuildContacts(contacts, owners, companyId, signal);
          const counts = await rebuildItems(deps, companyId, signal);
          await copies.copyAll(companyId, signal);
          await search.addAll(companyId, signal);
          return { ...counts, ...copied };
        },
        settle: (rebuild: InboxRebuild, _command, result, now) =>
          'unknown' in result
            ? { ok: true, state: rebuild, events: [], commands: [], timers: {} }
            : finishRebuild(rebuild, result, now),
      },
    },
    { concurrency: CONCURRENCY },
  );
}
