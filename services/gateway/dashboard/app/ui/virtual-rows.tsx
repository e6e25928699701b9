import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type ReactNode, type Ref, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { scrollerOf } from './scroller-of.ts';

/** From this many rows on only those in view are rendered. */
const LONG = 200;

/** What a row needs so that its height is known; given as single properties, so that a row in `memo` is rendered once. */
export interface RowPlace {
  readonly ref?: Ref<HTMLTableRowElement>;
  readonly 'data-index'?: number;
}

interface Props<Item> {
  readonly items: readonly Item[];
  /** The same function in every rendering. */
  readonly keyOf: (item: Item) => string;
  readonly estimate: (item: Item) => number;
  readonly children: (item: Item, place: RowPlace) => ReactNode;
}

/** The rows of a table's body; of a long table those in view, between two that keep the room of the others. */
export function VirtualRows<Item>(props: Props<Item>): ReactNode {
  // The first may be a heading.
  const [second, setSecond] = useState<HTMLTableRowElement | null>(null);
  if (props.items.length >= LONG) return <RowsInView {...props} before={second} />;
  return props.items.map((item, index) => (
    <Fragment key={props.keyOf(item)}>{props.children(item, index === 1 ? { ref: setSecond } : {})}</Fragment>
  ));
}

/** `before`: a row of the table when all of them were rendered, whose place in the page stays. */
function RowsInView<Item>(props: Props<Item> & { before: HTMLTableRowElement | null }): ReactNode {
  const { items, keyOf, estimate, children } = props;
  const top = useRef<HTMLTableRowElement>(null);
  const [scroller, setScroller] = useState(() => props.before && scrollerOf(props.before));
  const [margin, setMargin] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- nothing here relies on its functions staying the same
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller,
    initialOffset: () => scroller?.scrollTop ?? 0,
    estimateSize: (index) => estimate(items[index]!),
    // The same function until the items change: the places of all rows are computed again with another one.
    getItemKey: useCallback((index: number) => keyOf(items[index]!), [items, keyOf]),
    scrollMargin: margin,
    overscan: 12,
    initialRect: { width: 800, height: 1200 },
  });
  useLayoutEffect(() => {
    const found = top.current && scrollerOf(top.current);
    if (!top.current || !found) return;
    // oxlint-disable-next-line react/set-state-in-effect -- what scrolls is known once the table is in the page
    setScroller(found);
    setMargin(top.current.getBoundingClientRect().top - found.getBoundingClientRect().top + found.scrollTop);
  }, []);
  const shown = rows.getVirtualItems();
  const before = (shown[0]?.start ?? margin) - margin;
  const after = rows.getTotalSize() - ((shown.at(-1)?.end ?? margin) - margin);
  return (
    <>
      <tr ref={top} aria-hidden="true" style={{ height: before }} />
      {shown.map(({ index, key }) => (
        <Fragment key={String(key)}>
          {children(items[index]!, { ref: rows.measureElement, 'data-index': index })}
        </Fragment>
      ))}
      <tr aria-hidden="true" style={{ height: Math.max(0, after) }} />
    </>
  );
}
