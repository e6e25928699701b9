import { decided } from '@parley/errors';
import type { Comments } from '../comments/comment-store.ts';
import { ALL_NUMBERS } from '../projection/inbox-item.ts';
import type { InboxStore } from '../projection/inbox-store.ts';
import { isUsed, type Thread, threadId } from '../projection/thread.ts';
import type { ThreadHandlings } from '../threads/thread-handling-store.ts';

interface EmptyThreadDeps {
  readonly store: InboxStore;
  readonly handlings: ThreadHandlings;
  readonly comments: Pick<Comments, 'removeAll'>;
}

/**
 * Removes the threads with a number in which nothing is left, their comments, and who dealt with them; false when something is left. One that an item is
 * being stored in has a claim.
 */
export async function removeEmptyThreads(
  { store, handlings, comments }: EmptyThreadDeps,
  companyId: string,
  phone: string,
): Promise<boolean> {
  const own = store.threads.of(companyId);
  const ofAll = await own.get(threadId(companyId, ALL_NUMBERS, phone));
  // That of all numbers goes last: until then a repetition finds the others.
  for (const numberId of ofAll?.businessNumberIds ?? [])
    await own.changeIfExists(threadId(companyId, numberId, phone), unlessUsed);
  if (ofAll && isUsed(ofAll)) return false;
  await comments.removeAll(companyId, phone);
  const handling = await handlings.byPhone(companyId, phone);
  if (handling) await handlings.of(companyId).changeIfExists(handling.id, () => decided(null));
  return !(await own.changeIfExists(threadId(companyId, ALL_NUMBERS, phone), unlessUsed));
}

function unlessUsed(thread: Thread) {
  return decided(isUsed(thread) ? thread : null);
}
