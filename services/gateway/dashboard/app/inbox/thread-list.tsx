import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { InboxThread } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Inbox, SearchX } from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { type FoundText, FoundTexts } from './found-texts.tsx';
import styles from './thread-list.module.css';
import { ThreadRow } from './thread-row.tsx';
import type { useThreads } from './thread-queries.ts';

const ROW_PX = 61;

type Props = ReturnType<typeof useThreads> & {
  openNumber: string | undefined;
  isFiltered: boolean;
  /** Texts that have the words of the search. */
  found: readonly FoundText[];
  /** A business number that one can try. */
  ownNumber: string | undefined;
};

export function ThreadList(props: Props): ReactNode {
  const { query, loadMore, isFiltered, found, ownNumber, openNumber } = props;
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <div ref={scroller} className={styles['scroller']}>
      <QueryState query={query}>
        {({ items }) => (
          <>
            <Rows items={items} openNumber={openNumber} isBusy={query.isPlaceholderData} scroller={scroller} />
            {items.length + found.length === 0 && !loadMore.hasNextPage && (
              <NoThreads isFiltered={isFiltered} ownNumber={ownNumber} />
            )}
            <LoadMore {...loadMore} scroller={scroller} />
            {found.length > 0 && <FoundTexts texts={found} />}
          </>
        )}
      </QueryState>
    </div>
  );
}

function Rows(props: {
  items: readonly InboxThread[];
  openNumber: string | undefined;
  isBusy: boolean;
  scroller: { current: HTMLDivElement | null };
}): ReactNode {
  const { items, openNumber, scroller } = props;
  // oxlint-disable-next-line react/incompatible-library -- what it answers is used here only, and never kept
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => items[index]!.phone_number,
    overscan: 8,
    // A list that is not laid out yet shows its first rows.
    initialRect: { width: 280, height: 720 },
  });
  useScrollAnchor(items, scroller);
  useNeighbours(items, openNumber);
  return (
    <ul
      className={styles['rows']}
      aria-label={t('Threads')}
      aria-busy={props.isBusy}
      // Through the CSS object model, which the content security policy allows.
      style={{ height: rows.getTotalSize() }}
    >
      {rows.getVirtualItems().map(({ index, start, key }) => (
        <ThreadRow key={key} thread={items[index]!} top={start} isOpen={items[index]!.phone_number === openNumber} />
      ))}
    </ul>
  );
}

/** Rows that arrive above the first visible row do not move it, unless the list is scrolled to the top. */
function useScrollAnchor(items: readonly InboxThread[], scroller: { current: HTMLDivElement | null }): void {
  const before = useRef(items);
  useLayoutEffect(() => {
    const known = before.current;
    before.current = items;
    const element = scroller.current;
    if (!element || known === items || element.scrollTop < ROW_PX) return;
    const first = Math.floor(element.scrollTop / ROW_PX);
    // The first row may itself have moved to the top: the next ones have not.
    for (let index = first; index < Math.min(first + 3, known.length); index++) {
      const now = items.findIndex(({ phone_number }) => phone_number === known[index]!.phone_number);
      if (now > index || (now === index && index === first)) {
        element.scrollBy(0, (now - index) * ROW_PX);
        return;
      }
    }
  }, [items, scroller]);
}

/** J and K open the next and the previous thread, Esc returns to the list. */
function useNeighbours(items: readonly InboxThread[], openNumber: string | undefined): void {
  const [, navigate] = useLocation();
  const index = items.findIndex(({ phone_number }) => phone_number === openNumber);
  const go = (to: number) => {
    const thread = items[Math.min(Math.max(0, to), items.length - 1)];
    if (thread) navigate(`/${encodeURIComponent(thread.phone_number)}${location.search}`);
  };
  useShortcut('j', () => go(index + 1));
  useShortcut('k', () => go(index === -1 ? 0 : index - 1));
  useShortcut('Escape', openNumber === undefined ? undefined : () => navigate(`/${location.search}`));
  useEffect(() => {
    // Kept in view when the keys move on.
    document.querySelector('[data-open-thread]')?.scrollIntoView({ block: 'nearest' });
  }, [openNumber]);
}

function NoThreads({ isFiltered, ownNumber }: { isFiltered: boolean; ownNumber: string | undefined }): ReactNode {
  if (isFiltered)
    return (
      <EmptyState icon={SearchX} title={t('Nothing matches.')}>
        {t('Try fewer words, or all numbers.')}
      </EmptyState>
    );
  return (
    <EmptyState icon={Inbox} title={t('Nobody has written yet.')}>
      {ownNumber === undefined ? (
        t('Calls and texts to your numbers will be here.')
      ) : (
        <>
          {t('Call your number from your mobile:')} <PhoneNumber value={ownNumber} />
        </>
      )}
    </EmptyState>
  );
}
