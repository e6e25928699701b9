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
 * anywhere else what is being read does not move. `entries` is the element whose children are the entries, `version` changes
 * with them.
 */
export function useReadingPosition(
  box: RefObject<HTMLElement | null>,
  entries: RefObject<HTMLElement | null>,
  version: unknown,
): ReadingPosition {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const atEnd = useRef(true);
  /** The first entry in view, and where it was. */
  const anchor = useRef<{ entry: HTMLElement; top: number }>(undefined);

  const remember = useCallback(() => {
    if (!box.current || !entries.current) return;
    const { scrollTop, scrollHeight, clientHeight } = box.current;
    atEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
    setIsAtEnd(atEnd.current);
    const entry = withoutHeadings(firstBelow(entries.current.children, scrollTop));
    anchor.current = entry && { entry, top: entry.offsetTop };
  }, [box, entries]);

  const scrollToEnd = useCallback(() => {
    if (!box.current) return;
    box.current.scrollTop = box.current.scrollHeight;
    remember();
  }, [box, remember]);

  const keep = useCallback(() => {
    const { entry, top = 0 } = anchor.current ?? {};
    if (!box.current) return;
    if (atEnd.current) scrollToEnd();
    else if (entry?.isConnected) {
      const moved = entry.offsetTop - top;
      if (moved !== 0) box.current.scrollTop += moved;
      remember();
    }
  }, [box, remember, scrollToEnd]);

  useLayoutEffect(keep, [keep, version]);
  // Entries change their height when a transcription or a player appears, the box when the window does.
  useEffect(() => {
    const observer = new ResizeObserver(keep);
    for (const element of [box.current, entries.current]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [box, entries, keep]);
  return { isAtEnd, onScroll: remember, scrollToEnd };
}

/** Headings between entries, which have `data-heading`, come and go: the next entry stays. */
function withoutHeadings(child: HTMLElement | undefined): HTMLElement | undefined {
  const isHeading = child?.dataset['heading'] !== undefined;
  return isHeading ? withoutHeadings((child?.nextElementSibling as HTMLElement | null) ?? undefined) : child;
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
