import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** A box counts as scrolled to its end within this distance, in pixels. */
const AT_END_PX = 40;

interface ReadingPosition {
  readonly isAtEnd: boolean;
  readonly onScroll: () => void;
  readonly scrollToEnd: () => void;
}

/**
 * Keeps a reader's place in a scrolling box whose entries grow at both ends: at the end the newest entry stays in view,
 * anywhere else what is being read does not move. `entries` is the element whose children are the entries. `onRestored` is called after
 * every change, when the place is the same again.
 */
export function useReadingPosition(
  box: RefObject<HTMLElement | null>,
  entries: RefObject<HTMLElement | null>,
  onRestored: () => void,
): ReadingPosition {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const last = useRef<Place>(undefined);

  const remember = useCallback(() => {
    if (!box.current || !entries.current) return;
    last.current = placeIn(box.current, entries.current);
    setIsAtEnd(last.current.isAtEnd);
  }, [box, entries]);

  const scrollToEnd = useCallback(() => {
    if (!box.current) return;
    box.current.scrollTo(box.current.scrollLeft, box.current.scrollHeight);
    remember();
  }, [box, remember]);

  const restore = useCallback(() => {
    if (!box.current || !entries.current) return;
    if (!last.current) return scrollToEnd();
    const now = placeIn(box.current, entries.current);
    const moved = movement(last.current, now, box.current);
    if (moved === 'to end') return scrollToEnd();
    if (moved !== 0) box.current.scrollBy(0, moved);
    remember();
  }, [box, entries, remember, scrollToEnd]);

  const onChange = useRef(() => {});
  useLayoutEffect(() => {
    onChange.current = () => {
      restore();
      onRestored();
    };
    onChange.current();
  });
  // Entries change their height when a transcription or a player appears, the box when the window does.
  useEffect(() => {
    const observer = new ResizeObserver(() => onChange.current());
    for (const element of [box.current, entries.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [box, entries]);
  return { isAtEnd, onScroll: remember, scrollToEnd };
}

interface Place {
  readonly isAtEnd: boolean;
  readonly scrollTop: number;
  readonly fromEnd: number;
  /** The first entry in view, and where in the box it is. */
  readonly anchor: { readonly entry: HTMLElement; readonly top: number } | undefined;
  readonly newest: { readonly entry: Element | null; readonly height: number };
}

function placeIn(box: HTMLElement, entries: HTMLElement): Place {
  const { scrollTop } = box;
  const fromEnd = distanceFromEnd(box);
  const entry = withoutOthers(firstBelow(entries.children, scrollTop));
  const newest = entries.lastElementChild;
  return {
    isAtEnd: fromEnd < AT_END_PX,
    scrollTop,
    fromEnd,
    anchor: entry && { entry, top: topOf(entry, box) },
    newest: { entry: newest, height: newest?.getBoundingClientRect().height ?? 0 },
  };
}

/** By how many pixels a reader's place has moved. */
function movement(before: Place, now: Place, box: HTMLElement): number | 'to end' {
  if (!before.isAtEnd)
    return before.anchor?.entry.isConnected ? topOf(before.anchor.entry, box) - before.anchor.top : 0;
  // The reader has scrolled, and the event is yet to come.
  if (now.scrollTop < before.scrollTop && now.fromEnd > before.fromEnd) return 0;
  const isSame = now.newest.entry === before.newest.entry && now.newest.height === before.newest.height;
  return isSame ? now.fromEnd - before.fromEnd : 'to end';
}

/** How far below what is shown a box ends, in pixels. */
export function distanceFromEnd({ scrollHeight, clientHeight, scrollTop }: HTMLElement): number {
  return scrollHeight - clientHeight - scrollTop;
}

/** Not `offsetTop`, which is rounded. */
function topOf(entry: HTMLElement, box: HTMLElement): number {
  return entry.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
}

/** What is no entry itself, which has `data-no-entry`, comes and goes: the next entry stays. */
function withoutOthers(child: HTMLElement | undefined): HTMLElement | undefined {
  const isOther = child?.dataset['noEntry'] !== undefined;
  return isOther ? withoutOthers((child?.nextElementSibling as HTMLElement | null) ?? undefined) : child;
}

/** The first of the children, which are below each other, that ends below a height. */
function firstBelow(children: HTMLCollection, top: number): HTMLElement | undefined {
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const child = children[middle] as HTMLElement;
    if (child.offsetTop + child.offsetHeight > top) high = middle;
    else low = middle + 1;
  }
  return children[low] as HTMLElement | undefined;
}
