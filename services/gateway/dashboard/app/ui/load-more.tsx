import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import styles from './load-more.module.css';
import { scrollerOf } from './scroller-of.ts';

/** How near the end of a list comes before more of it is loaded. */
const AHEAD_PX = 400;

/** The end of a list that loads as one scrolls; also a button, for the keyboard and after a failure. */
export function LoadMore(props: {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  /** A page that is loaded beside a refresh of the list would cancel it, or be cancelled by it and never asked for again. */
  isFetching?: boolean;
  /** After a failure nothing is loaded until the button is pressed. */
  isFetchNextPageError?: boolean;
  /** The scrolling element; the page by default. */
  scroller?: RefObject<HTMLElement | null>;
}): ReactNode {
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isFetchNextPageError = false, scroller } = props;
  const isBusy = isFetchingNextPage || (props.isFetching ?? false);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element || !hasNextPage || isBusy || isFetchNextPageError) return;
    const root = scroller?.current ?? scrollerOf(element);
    let isAsked = false;
    const load = () => {
      if (isAsked) return;
      isAsked = true;
      fetchNextPage();
    };
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load(), {
      rootMargin: `${AHEAD_PX}px`,
      root,
    });
    observer.observe(element);
    // Chromium's observer sometimes misses a jump to where it was when it began.
    const onScroll = () => root && isNear(element, root) && load();
    root?.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      root?.removeEventListener('scroll', onScroll);
    };
  }, [hasNextPage, isBusy, isFetchNextPageError, fetchNextPage, scroller]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className={styles['end']}>
      {isFetchNextPageError && <p role="alert">{t('More could not be loaded.')}</p>}
      <Button variant="ghost" size="s" busy={isFetchingNextPage} onPress={() => void fetchNextPage()}>
        {isFetchNextPageError ? t('Try again') : isFetchingNextPage ? t('Loading…') : t('Load more')}
      </Button>
    </div>
  );
}

function isNear(element: Element, root: Element): boolean {
  const [own, view] = [element.getBoundingClientRect(), root.getBoundingClientRect()];
  return own.bottom > view.top - AHEAD_PX && own.top < view.bottom + AHEAD_PX;
}
