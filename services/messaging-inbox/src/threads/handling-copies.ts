import type { CommandContext } from '@parley/aggregates';
import { decided } from '@parley/errors';
import { pauseForRequests } from '@parley/queues';
import type { LiveUpdates } from '../live/live-updates.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import type { InboxStore } from '../projection/inbox-store.ts';
import { applyHandling, type HandlingCopy, handlingOf, isReopened, threadId } from '../projection/thread.ts';
import { reopenHandling, type ThreadHandling } from './thread-handling.ts';
import type { ThreadHandlings } from './thread-handling-store.ts';

export type HandlingCopies = ReturnType<typeof handlingCopies>;

/** Keeps the listed threads equal to how they are dealt with. */
export function handlingCopies(deps: {
  readonly store: InboxStore;
  readonly handlings: ThreadHandlings;
  readonly live: LiveUpdates;
}) {
  const { store, handlings, live } = deps;

  /** Opens a thread in which something was stored after it was done. */
  async function reopen(companyId: string, phone: string, lastStoredAt: number): Promise<void> {
    const handling = await handlings.byPhone(companyId, phone);
    if (!handling) return;
    await handlings.of(companyId).changeIfExists(handling.id, (current) => reopenHandling(current, lastStoredAt));
  }

  /** Resolves once lists show it. */
  async function copy({ companyId, phone, assignee, state, doneThrough, revision }: ThreadHandling): Promise<void> {
    const handling = { assigneeId: assignee?.id ?? null, done: state === 'done', doneThrough, revision };
    const own = store.threads.of(companyId);
    const change = (scope: string, copied: HandlingCopy) =>
      own.changeIfExists(threadId(companyId, scope, phone), (thread) => decided(applyHandling(thread, copied)));
    // First that of all numbers: a thread of another number that is made meanwhile gets it from there.
    const all = await change(ALL_NUMBERS, handling);
    if (!all) return;
    for (const scope of all.businessNumberIds) await change(scope, handlingOf(all) ?? handling);
    if (isReopened(all)) await reopen(companyId, phone, all.lastStoredAt);
  }

  return {
    copy,
    /** All of a company, for a rebuild. */
    async copyAll(companyId: string, signal: AbortSignal): Promise<void> {
      for await (const chunk of handlings.of(companyId).findInChunks({}, { phone: 1 })) {
        signal.throwIfAborted();
        for (const handling of chunk) await copy(handling);
        await pauseForRequests();
      }
    },
    reopen,
    /** The command of a handling that has changed. */
    command: {
      guarantee: 'until_confirmed' as const,
      async execute(_command: unknown, { aggregateId, companyId }: CommandContext) {
        const handling = await handlings.of(companyId).get(aggregateId);
        if (!handling) return;
        await copy(handling);
        live.publish(companyId, { type: 'thread_update', phone_number: handling.phone });
      },
      needsSettling: () => false as const,
    },
  };
}
