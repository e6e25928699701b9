import { isDeepStrictEqual } from 'node:util';

export type InboxItemType = 'call' | 'voicemail' | 'message';

/** The specification's call states. */
export type CallState =
  | 'initiated'
  | 'queued'
  | 'answered'
  | 'playing_audio'
  | 'transferring'
  | 'recording'
  | 'bridged'
  | 'ended';

/** Words of a call or voicemail as they are stored: encrypted. */
export interface StoredText {
  readonly sealed: string;
}

/** The assistant that was to answer a call, as it was last. */
export interface ItemAssistant {
  readonly id: string;
  readonly name: string;
  readonly state: 'talking' | 'transferring' | 'left';
  /** Null until it has left. */
  readonly outcome: string | null;
  readonly engine: string;
}

export interface CallContent {
  readonly type: 'call';
  readonly state: CallState;
  readonly missed: boolean;
  readonly summary: StoredText | null;
  readonly employee: { readonly id: string; readonly name: string } | null;
  readonly hasTranscription: boolean;
  /** Absent in a call that no assistant was to answer. */
  readonly assistant?: ItemAssistant;
  /** The message that it took; absent without one. */
  readonly message?: StoredText;
}

export interface VoicemailContent {
  readonly type: 'voicemail';
  readonly transcription: StoredText | null;
  readonly listened: boolean;
  readonly callId: string;
}

/** Body and status of a text are read from the text: the body is encrypted there, and the status changes there. */
export interface MessageContent {
  readonly type: 'message';
}

export type ItemContent = CallContent | VoicemailContent | MessageContent;

/** An item as its owner publishes it, with the sequence of the event. */
export interface ItemFact {
  readonly id: string;
  readonly companyId: string;
  /** The external number, E.164. */
  readonly phone: string;
  readonly businessNumberId: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  /** Microseconds since 1970. */
  readonly createdAt: number;
  readonly durationSecs: number | null;
  readonly content: ItemContent;
  /** Microseconds since 1970 when the item is seen by its nature: an answered call, or one in which an assistant left nothing to do. */
  readonly seenAt: number | null;
  /** The sequence of the owner's event; 0 when read by a backfill. */
  readonly sequence: number;
}

/** An item of the inbox. `storedAt` and `seenAt` are the inbox's own; everything else comes from the owner. */
export interface InboxItem extends Omit<ItemFact, 'content'> {
  readonly content: ItemContent;
  /**
   * When the inbox stored it, microseconds since 1970; grows strictly within a thread. Seen marks and pages go by it: what
   * is stored later is never covered by an earlier observation, whatever its own time.
   */
  readonly storedAt: number;
  /** When a voicemail took the place of this call, as that voicemail's `storedAt`. */
  readonly replacedAt: number | null;
  /** When a fact of the owner was applied last; a rebuild leaves alone what has changed since it began. */
  readonly appliedAt: Date;
  /** The lists this item belongs to; see `viewsOf`. */
  readonly views: readonly string[];
  /** The same lists while the item counts as unseen; otherwise empty. */
  readonly unseenViews: readonly string[];
}

/** Everything with the number, of whichever business number. */
export const ALL_NUMBERS = 'all';

/** Name of a list of items: of one business number or all of them, with texts or without. */
export function viewName(scope: string, withMessages: boolean): string {
  return withMessages ? scope : `${scope}/calls`;
}

function viewsOf(businessNumberId: string, type: InboxItemType): string[] {
  const scopes = [ALL_NUMBERS, businessNumberId];
  return scopes.flatMap((scope) =>
    type === 'message' ? [viewName(scope, true)] : [viewName(scope, true), viewName(scope, false)],
  );
}

/** The item after a fact; the inbox's own fields stay as they were. */
export function applyFact(current: InboxItem | undefined, fact: ItemFact, storedAt: number, now: Date): InboxItem {
  if (current && fact.sequence !== 0 && current.sequence >= fact.sequence) return current;
  return derive({
    ...fact,
    sequence: Math.max(fact.sequence, current?.sequence ?? 0),
    storedAt: current?.storedAt ?? storedAt,
    replacedAt: current?.replacedAt ?? null,
    seenAt: current?.seenAt ?? fact.seenAt,
    appliedAt: now,
  });
}

/** The item after a fact that was read from its owner, whatever was applied before. */
export function restoreFact(current: InboxItem | undefined, fact: ItemFact, storedAt: number, now: Date): InboxItem {
  return applyFact(current, { ...fact, sequence: 0 }, storedAt, now);
}

/** Ignores the times at which the states were applied. */
export function isSameItem(one: InboxItem, other: InboxItem): boolean {
  return isDeepStrictEqual({ ...one, appliedAt: null }, { ...other, appliedAt: null });
}

/** The item once the team has seen it; the first time counts. */
export function seenItem(current: InboxItem, at: number): InboxItem {
  return current.seenAt === null ? derive({ ...current, seenAt: at }) : current;
}

/** The call that a voicemail replaces; null when the voicemail was deleted. */
export function replacedItem(current: InboxItem, replacedAt: number | null): InboxItem {
  return current.replacedAt === replacedAt ? current : derive({ ...current, replacedAt });
}

function derive(item: Omit<InboxItem, 'views' | 'unseenViews'>): InboxItem {
  const views = viewsOf(item.businessNumberId, item.content.type);
  const unseen = item.direction === 'inbound' && item.seenAt === null && item.replacedAt === null;
  return { ...item, views, unseenViews: unseen ? views : [] };
}
