import { type ReactNode, useEffect, useRef } from 'react';

/** The end of a list that loads as one scrolls; also a button, for the keyboard and after a failure. */
export function LoadMore(props: {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}): ReactNode {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = props;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current || !hasNextPage || isFetchingNextPage) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) fetchNextPage();
      },
      { rootMargin: '400px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className="load-more">
      <button type="button" className="quiet" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchingNextPage ? 'Loading…' : 'Load more'}
      </button>
    </div>
  );
}
