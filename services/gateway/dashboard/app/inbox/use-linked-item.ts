import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocationProperty } from 'wouter/use-browser-location';
import type { LogEntry } from './log-entries.ts';

/** The id of the item that the address names after `#`, such as a text that was found. */
export function useLinkedItemId(): string | undefined {
  return useLocationProperty(() => location.hash).slice(1) || undefined;
}

/**
 * Scrolls a log to an item once it is loaded; until then older items are. Its element has the id `linkedId`, and has to be rendered wherever
 * it is in the log.
 */
export function useLinkedItem(
  box: RefObject<HTMLElement | null>,
  entries: readonly LogEntry[],
  linkedId: string | undefined,
  older: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; readonly fetchNextPage: () => unknown },
): void {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = older;
  const shown = useRef<string>(undefined);
  const isLoaded = linkedId !== undefined && entries.some(({ key }) => key === linkedId);
  useEffect(() => {
    if (linkedId !== undefined && !isLoaded && hasNextPage && !isFetchingNextPage) fetchNextPage();
  }, [linkedId, isLoaded, hasNextPage, isFetchingNextPage, fetchNextPage]);
  useLayoutEffect(() => {
    if (!isLoaded || shown.current === linkedId) return;
    shown.current = linkedId;
    const show = () => box.current?.querySelector(`#${CSS.escape(linkedId)}`)?.scrollIntoView({ block: 'center' });
    show();
    // What came into view has been measured meanwhile, and differs from the estimates.
    requestAnimationFrame(() => requestAnimationFrame(show));
  }, [box, linkedId, isLoaded]);
}
