import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import type { InboxThread } from '../api/schema.d.ts';
import { threadPreview } from '../api/thread-preview.ts';
import { t } from '../i18n/translate.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Count } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import {
  Check,
  CircleAlert,
  Inbox,
  Phone,
  PhoneMissed,
  PhoneOutgoing,
  Reply,
  SearchX,
  UserRound,
  Voicemail,
} from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { Unseen } from '../ui/text.tsx';
import { Time } from '../ui/time.tsx';
import { contactName } from './activity-texts.ts';
import { type FoundText, FoundTexts } from './found-texts.tsx';
import styles from './thread-list.module.css';
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

const TINY = { size: 13, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** `top`: where the list, which shows only the rows in view, places it. */
const ThreadRow = memo(function ThreadRow(props: { thread: InboxThread; top: number; isOpen: boolean }): ReactNode {
  const { thread, isOpen } = props;
  const id = useId();
  const { phone_number: phoneNumber, contact, unseen_count: unseenCount, latest_item: latest } = thread;
  const name = contactName(contact);
  const isUnseen = unseenCount > 0;
  const isBad = latest.status === 'failed' || latest.missed === true;
  return (
    <li aria-labelledby={id} className={styles['item']} style={{ transform: `translateY(${props.top}px)` }}>
      <Link
        id={id}
        href={`/${encodeURIComponent(phoneNumber)}${location.search}`}
        className={classes(styles['row'], isOpen && styles['open'], isUnseen && styles['unseen'])}
        aria-current={isOpen ? 'true' : undefined}
        data-open-thread={isOpen || undefined}
      >
        <Avatar id={contact?.id ?? phoneNumber} name={name} />
        <span className={styles['name']}>
          {name === undefined ? <PhoneNumber value={phoneNumber} /> : <bdi>{name}</bdi>}
        </span>{' '}
        {isUnseen && (
          <span className={styles['count']}>
            <Count value={unseenCount} /> <Unseen>{t('Unseen')}</Unseen>
          </span>
        )}{' '}
        <span className={styles['time']}>
          <Time at={thread.last_activity_at} />
        </span>{' '}
        <span className={classes(styles['preview'], isBad && styles['bad'])}>
          {thread.state === 'done' && (
            <>
              <Check {...TINY} />
              <Unseen>{t('Done')} </Unseen>
            </>
          )}
          <PreviewIcon latest={latest} />
          {latest.status === 'failed' && <span>{t('Not delivered:')} </span>}
          {latest.type === 'message' && latest.direction === 'outbound' && latest.status !== 'failed' && (
            <>
              <Reply {...TINY} />
              <Unseen>{t('Outgoing:')} </Unseen>
            </>
          )}
          <bdi className={styles['words']}>{threadPreview(thread)}</bdi>
          {thread.assignee && (
            <span className={styles['assignee']} title={t('Assigned to {name}', { name: thread.assignee.name })}>
              <UserRound {...TINY} />
              <Unseen>{t('Assigned to {name}', { name: thread.assignee.name })}</Unseen>
            </span>
          )}
        </span>
      </Link>
    </li>
  );
});

function PreviewIcon({ latest }: { latest: InboxThread['latest_item'] }): ReactNode {
  const { type, direction, missed, status } = latest;
  if (type === 'voicemail') return <Voicemail {...TINY} />;
  if (type === 'message') return status === 'failed' && <CircleAlert {...TINY} />;
  if (missed) return <PhoneMissed {...TINY} />;
  return direction === 'outbound' ? <PhoneOutgoing {...TINY} /> : <Phone {...TINY} />;
}
