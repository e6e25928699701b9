import type { InboxItem } from '../api/schema.d.ts';
import { dayKey } from '../i18n/format.ts';

/** A row of the log: an item, or the heading of a day. */
export type LogEntry =
  | { readonly kind: 'item'; readonly key: string; readonly item: InboxItem }
  | { readonly kind: 'day'; readonly key: string; readonly at: Date };

/** The rows of a log without items of types that are not known yet, newest first like the items: a heading follows the items of its day. */
export function logEntries(items: readonly InboxItem[]): readonly LogEntry[] {
  const entries: LogEntry[] = [];
  let newer: InboxItem | undefined;
  const endDay = () => newer && entries.push({ kind: 'day', key: `day ${newer.id}`, at: new Date(newer.created_at) });
  for (const item of items) {
    if (!isKnown(item)) continue;
    if (newer && dayOf(newer) !== dayOf(item)) endDay();
    entries.push({ kind: 'item', key: item.id, item });
    newer = item;
  }
  endDay();
  return entries;
}

function isKnown({ type }: InboxItem): boolean {
  return ['call', 'voicemail', 'message', 'comment'].includes(type);
}

const days = new WeakMap<InboxItem, string>();

/** Remembered: thousands of items are compared whenever some are added. */
function dayOf(item: InboxItem): string {
  const known = days.get(item);
  if (known !== undefined) return known;
  const day = dayKey(new Date(item.created_at));
  days.set(item, day);
  return day;
}

const LINE_PX = 20;
const LINE_CHARS = 70;
/** The height of each kind with one line of words. */
const ONE_LINE_PX = { day: 24, message: 55, call: 28, voicemail: 130, comment: 56 };

/** The height of a row in pixels, about, until it has been measured. */
export function estimateHeight(entry: LogEntry): number {
  if (entry.kind === 'day') return ONE_LINE_PX.day;
  const { item } = entry;
  switch (item.type) {
    case 'message':
      return ONE_LINE_PX.message + (linesOf(item.text) - 1) * LINE_PX;
    case 'comment':
      return ONE_LINE_PX.comment + (linesOf(item.text) - 1) * LINE_PX;
    case 'voicemail':
      return ONE_LINE_PX.voicemail + (linesOf(item.transcription ?? '') - 1) * LINE_PX;
    case 'call':
      return ONE_LINE_PX.call + (item.summary ? linesOf(item.summary) * LINE_PX : 0);
  }
}

function linesOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / LINE_CHARS));
}
