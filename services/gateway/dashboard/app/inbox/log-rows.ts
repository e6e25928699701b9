/** An entry that is rendered; its place counts from the end of the log, in pixels. */
interface PlacedEntry {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** What is rendered: an entry, or the room of entries that are not. */
export type LogRow =
  | { readonly kind: 'entry'; readonly index: number }
  | { readonly kind: 'room'; readonly key: string; readonly height: number };

/**
 * The rows of a log from top to bottom, of rendered entries that are given newest first. `total` is the height of all entries, `gap` the
 * distance of two rows.
 */
export function logRows(shown: readonly PlacedEntry[], total: number, gap: number): readonly LogRow[] {
  const rows: LogRow[] = [];
  /** Where the room for the next row begins. */
  let from = 0;
  let next = 0;
  for (const { index, start, end } of shown) {
    if (index !== next)
      rows.push({ kind: 'room', key: next === 0 ? 'newest' : `before ${next}`, height: start - gap - from });
    rows.push({ kind: 'entry', index });
    from = end + gap;
    next = index + 1;
  }
  if (total > from) rows.push({ kind: 'room', key: 'oldest', height: total - from });
  return rows.toReversed();
}
