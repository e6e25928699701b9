import { decided } from '@parley/errors';
import { ALL_NUMBERS, type InboxItem, seenItem, viewName } from '../projection/inbox-item.ts';
import type { InboxStore } from '../projection/inbox-store.ts';
import type { InboxProjection } from '../projection/projection-store.ts';

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

/** Items that are marked with one write. */
const PAGE = 500;

/** Marks unseen items of a thread; answers whether there were any. */
export async function markSeen(store: InboxStore, projection: InboxProjection, mark: SeenMark): Promise<boolean> {
  const { companyId, phone, through, at } = mark;
  const view = viewName(mark.businessNumberId ?? ALL_NUMBERS, mark.withMessages);
  const unseen = () =>
    store.items.bulk.readPage({
      filter: { companyId, phone, unseenViews: view, storedAt: { $lte: through } },
      sort: { storedAt: 1 },
      limit: PAGE,
      index: 'unseen',
    });
  const own = store.items.of(companyId);
  const see = (id: string) => own.changeIfExists(id, (item) => decided(seenItem(item, at)));
  let page = await unseen();
  if (page.length === 0) return false;
  // Marked items are no longer among the unseen: the next page starts where this one ended.
  for (; page.length > 0; page = await unseen()) {
    const scopes = [...new Set(page.map(({ businessNumberId }) => businessNumberId)), ALL_NUMBERS];
    const change = await projection.expectChange(companyId, phone, scopes);
    // A voicemail replaces its call: both are marked. The call first, because only the voicemail is found again.
    for (const callId of page.flatMap(callOfVoicemail)) await see(callId);
    const written = await store.items.bulk.replaceUnchanged(page.map((from) => ({ from, to: seenItem(from, at) })));
    // It has been changed meanwhile.
    for (const [index, { id }] of page.entries()) if (!written[index]) await see(id);
    await projection.refresh(companyId, phone, scopes, {
      changes: [change],
      affected: { latest: false, unseen: true },
    });
    if (page.length < PAGE) break;
  }
  return true;
}

function callOfVoicemail({ content }: InboxItem): string[] {
  return content.type === 'voicemail' ? [content.callId] : [];
}
