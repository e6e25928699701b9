import { decided } from '@parley/errors';
import { ALL_NUMBERS, type InboxItem, seenItem, viewName } from './inbox-item.ts';
import type { InboxStore } from './inbox-store.ts';
import type { InboxProjection } from './projection-store.ts';

/** What is to be marked as seen. */
export interface SeenMark {
  readonly companyId: string;
  readonly phone: string;
  readonly businessNumberId: string | undefined;
  /** Everything stored until then, microseconds since 1970. */
  readonly through: number;
  /** False leaves texts as they are. */
  readonly withMessages: boolean;
  /** When it was seen, microseconds since 1970. */
  readonly at: number;
}

const PARALLEL = 16;

/** Marks unseen items of a thread; answers whether there were any. */
export async function markSeen(store: InboxStore, projection: InboxProjection, mark: SeenMark): Promise<boolean> {
  const { companyId, phone, through, at } = mark;
  const own = store.items.of(companyId);
  const view = viewName(mark.businessNumberId ?? ALL_NUMBERS, mark.withMessages);
  const unseen: InboxItem[] = [];
  const find = own.find({ phone, unseenViews: view, storedAt: { $lte: through } }, { storedAt: 1 });
  for await (const item of find) unseen.push(item);
  if (unseen.length === 0) return false;
  const scopes = [...new Set(unseen.map(({ businessNumberId }) => businessNumberId)), ALL_NUMBERS];
  await projection.expectChange(companyId, phone, scopes);
  // A voicemail stands for its call: both were seen.
  const ids = unseen.flatMap(({ id, content }) => (content.type === 'voicemail' ? [id, content.callId] : [id]));
  for (let from = 0; from < ids.length; from += PARALLEL) {
    const some = ids.slice(from, from + PARALLEL);
    await Promise.all(some.map((id) => own.changeIfExists(id, (item) => decided(seenItem(item, at)))));
  }
  await projection.refresh(companyId, phone, scopes);
  return true;
}
