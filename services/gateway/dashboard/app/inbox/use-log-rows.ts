import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { estimateHeight, type LogEntry } from './log-entries.ts';
import { type LogRow, logRows } from './log-rows.ts';
import { distanceFromEnd } from './use-reading-position.ts';

/** Up to this many entries all of them are rendered; of more, those in view and these many beside them. */
const LONG = 250;
const BESIDE = 12;

/** The distance of two rows; the style sheet has the same. */
const GAP_PX = 12;

interface LogRows {
  readonly rows: readonly LogRow[];
  /** To be called after every change of the log: measures what is rendered, and renders what has come into view. */
  readonly measure: () => void;
}

/**
 * Which entries of a long log are rendered. Their places count from the end of the log, where the newest entry is: older ones that are added
 * change nothing for those in view. The rows follow each other in the document, so that a wrong estimate moves nothing that is rendered;
 * whoever scrolls keeps the reader's place. Entries with the keys `pinned` stay rendered wherever they are.
 */
export function useLogRows(
  box: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  entries: readonly LogEntry[],
  pinned: readonly (string | undefined)[],
): LogRows {
  const report = useRef<() => void>(undefined);
  const pinnedIndexes = useMemo(
    () => pinned.flatMap((key) => (key === undefined ? [] : entries.findIndex((entry) => entry.key === key))),
    [entries, pinned],
  );
  // oxlint-disable-next-line react/incompatible-library -- what it answers is used here only, and never kept
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count: entries.length,
    getScrollElement: () => box.current,
    // The same functions until the entries change: the places of all entries are computed again with others.
    estimateSize: useCallback((index: number) => estimateHeight(entries[index]!), [entries]),
    getItemKey: useCallback((index: number) => entries[index]!.key, [entries]),
    rangeExtractor: useCallback(
      (range: Range) =>
        range.count <= LONG
          ? Array.from({ length: range.count }, (_, index) => index)
          : withIndexes(defaultRangeExtractor(range), pinnedIndexes),
      [pinnedIndexes],
    ),
    gap: GAP_PX,
    overscan: BESIDE,
    // A log that is not laid out yet shows its end.
    initialRect: { width: 600, height: 800 },
    observeElementOffset: useCallback((instance: Virtualizer<HTMLElement, HTMLElement>, onOffset: OnOffset) => {
      const element = instance.scrollElement!;
      const tell = () => onOffset(Math.max(0, distanceFromEnd(element)), false);
      const onScroll = () => flushSync(tell);
      report.current = tell;
      element.addEventListener('scroll', onScroll, { passive: true });
      return () => element.removeEventListener('scroll', onScroll);
    }, []),
    scrollToFn: nothing,
  });
  virtual.shouldAdjustScrollPositionOnItemSizeChange = never;

  const rows = logRows(virtual.getVirtualItems(), virtual.getTotalSize(), GAP_PX);
  const measure = () => {
    rows.forEach((row, place) => {
      const element = list.current?.children[place];
      if (row.kind === 'entry' && element) virtual.resizeItem(row.index, element.getBoundingClientRect().height);
    });
    report.current?.();
  };
  return { rows, measure };
}

type OnOffset = (offset: number, isScrolling: boolean) => void;

const nothing = () => {};
const never = () => false;

/** Sorted, each once, and none that was not found. */
function withIndexes(range: readonly number[], others: readonly number[]): number[] {
  const added = others.filter((index) => index >= 0 && !range.includes(index));
  return added.length === 0 ? [...range] : [...new Set([...range, ...added])].toSorted((a, b) => a - b);
}
