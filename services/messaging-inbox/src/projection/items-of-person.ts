import { type InboxItem, viewName } from './inbox-item.ts';
import { type SummaryItems, type ThreadItems, UNSEEN_COUNT_MAX } from './thread.ts';

/** What all items with an external number say about its threads. */
export interface ItemsOfPerson {
  readonly businessNumberIds: readonly string[];
  /** One of each business number and kind, the one that was stored last, and those that were asked for. */
  readonly stored: readonly InboxItem[];
  ofScope(scope: string): ThreadItems;
}

/** Adds up items, the newest first, without keeping them. `wanted`: ids of items to keep. */
export function itemsOfPerson(wanted: ReadonlySet<string>) {
  const newest = new Map<string, InboxItem>();
  const unseen = new Map<string, number>();
  const ofKinds = new Map<string, InboxItem>();
  const kept = new Map<string, InboxItem>();
  let storedLast: InboxItem | undefined;
  const summaryOf = (view: string): SummaryItems => ({
    latest: newest.get(view) ?? null,
    unseenCount: Math.min(unseen.get(view) ?? 0, UNSEEN_COUNT_MAX),
  });
  return {
    add(item: InboxItem): void {
      const { id, businessNumberId, content, replacedAt, storedAt, unseenViews, views } = item;
      if (replacedAt === null) for (const view of views) if (!newest.has(view)) newest.set(view, item);
      for (const view of unseenViews) unseen.set(view, (unseen.get(view) ?? 0) + 1);
      ofKinds.set(`${businessNumberId} ${content.type}`, item);
      if (wanted.has(id)) kept.set(id, item);
      if (!storedLast || storedAt > storedLast.storedAt) storedLast = item;
    },
    result(): ItemsOfPerson {
      const stored = new Map([...ofKinds.values(), ...kept.values()].map((item) => [item.id, item]));
      if (storedLast) stored.set(storedLast.id, storedLast);
      return {
        businessNumberIds: [...new Set([...ofKinds.values()].map(({ businessNumberId }) => businessNumberId))],
        stored: [...stored.values()],
        ofScope: (scope) => ({
          withMessages: summaryOf(viewName(scope, true)),
          withoutMessages: summaryOf(viewName(scope, false)),
        }),
      };
    },
  };
}
