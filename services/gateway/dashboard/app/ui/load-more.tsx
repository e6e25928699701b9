import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

/** The end of a list that loads as one scrolls; also a button, for the keyboard and after a failure. */
export function LoadMore(props: {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  /** After a failure nothing is loaded until the button is pressed. */
  isFetchNextPageError?: boolean;
  /** What scrolls; the window unless given. */
  scroller?: RefObject<HTMLElement | null>;
}): ReactNode {
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError = false, scroller } = props;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current || !hasNextPage || isFetchingNextPage || isFetchNextPageError) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchNextPage();
      },
      { rootMargin: '400px', root: scroller?.current ?? null },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, scroller]);
  if (!hasNextPage) return null;
  const label = isFetchingNextPage ? 'Loading…' : isFetchNextPageError ? 'Try again' : 'Load more';
  return (
    <div ref={end} className="load-more">
      {isFetchNextPageError && <p role="alert">More could not be loaded.</p>}
      <button type="button" className="quiet" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {label}
      </button>
    </div>
  );
}
