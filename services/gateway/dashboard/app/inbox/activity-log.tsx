/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- the keyboard scrolls the log, and it notes which of its items are in use */
import { type ComponentProps, type ReactNode, type SyntheticEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { InboxItem } from '../api/schema.d.ts';
import { dayHeading } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { SMALL } from '../ui/icon.ts';
import { ArrowDown, MessagesSquare } from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { ActivityItem } from './activity-item.tsx';
import styles from './activity-log.module.css';
import type { Activity } from './activity-queries.ts';
import { logEntries } from './log-entries.ts';
import { useLogRows } from './use-log-rows.ts';
import { useMarkSeen } from './use-mark-seen.ts';
import { useLinkedItemId, useLinkedItem } from './use-linked-item.ts';
import { useReadingPosition } from './use-reading-position.ts';

/** The items, oldest at the top, by day; scrolled to the newest until one scrolls up. */
export function ActivityLog(props: {
  activity: Activity;
  loadMore: Omit<ComponentProps<typeof LoadMore>, 'scroller'>;
}): ReactNode {
  const { activity, loadMore } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const entries = useMemo(() => logEntries(activity.items), [activity.items]);
  const withVoicemail = useMemo(() => callsWithVoicemail(activity.items), [activity.items]);
  const [focused, setFocused] = useState<string>();
  const [played, setPlayed] = useState<string>();
  const linkedId = useLinkedItemId();
  const pinned = useMemo(() => [focused, played, linkedId], [focused, played, linkedId]);
  const { rows, measure } = useLogRows(box, list, entries, pinned);
  const { isAtEnd, onScroll, scrollToEnd } = useReadingPosition(box, list, measure);
  useLinkedItem(box, entries, linkedId, loadMore);
  useMarkSeen(activity, isAtEnd);

  const newest = activity.items[0];
  const [readUntil, setReadUntil] = useState(newest?.id);
  if (isAtEnd && readUntil !== newest?.id) setReadUntil(newest?.id);
  const isOwn = newest?.type === 'message' && newest.author.id === session.employeeId;
  useEffect(() => {
    // Users want to see the item that they have just sent.
    if (isOwn) scrollToEnd();
  }, [newest?.id, isOwn, scrollToEnd]);

  const keyOf = ({ target }: SyntheticEvent): string | undefined => {
    const row = rows[[...(list.current?.children ?? [])].findIndex((child) => child.contains(target as Node))];
    return row?.kind === 'entry' ? entries[row.index]?.key : undefined;
  };

  return (
    <div className={styles['frame']}>
      <div
        ref={box}
        className={styles['log']}
        role="log"
        aria-label={t('Activity')}
        aria-busy={loadMore.isFetchingNextPage}
        // What is rendered because one scrolls is no news; of news one is told below.
        aria-live={isAtEnd ? 'polite' : 'off'}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={(event) => {
          // The browser would scroll to where the end is before what is there has been measured.
          if (event.key !== 'End' || event.target !== event.currentTarget) return;
          event.preventDefault();
          scrollToEnd();
        }}
      >
        <LoadMore {...loadMore} scroller={box} />
        {entries.length === 0 && (
          <EmptyState icon={MessagesSquare} title={t('No calls or texts with this number yet.')} />
        )}
        <ol
          ref={list}
          className={styles['items']}
          onFocus={(event) => setFocused(keyOf(event))}
          onPlayCapture={(event) => setPlayed(keyOf(event))}
        >
          {rows.map((row) => {
            if (row.kind === 'room') return <Room key={row.key} height={row.height} />;
            const entry = entries[row.index]!;
            if (entry.kind === 'day') return <Day key={entry.key} at={entry.at} />;
            const { item, key } = entry;
            const leftVoicemail = withVoicemail.has(item.id);
            return (
              <ActivityItem
                key={key}
                item={item}
                phoneNumber={activity.phoneNumber}
                leftVoicemail={leftVoicemail}
                isLinked={item.id === linkedId}
              />
            );
          })}
        </ol>
      </div>
      <div role="status">
        {readUntil !== newest?.id && (
          <button type="button" className={styles['news']} onClick={scrollToEnd}>
            <ArrowDown {...SMALL} />
            {t('New activity below')}
          </button>
        )}
      </div>
    </div>
  );
}

function Day({ at }: { at: Date }): ReactNode {
  return (
    <li className={styles['day']} data-no-entry>
      <span>{dayHeading(at)}</span>
    </li>
  );
}

/** The room of entries that are not rendered. The height is set through the CSS object model, which the content security policy allows. */
function Room({ height }: { height: number }): ReactNode {
  return <li aria-hidden="true" style={{ height }} data-no-entry />;
}

/** Calls that nobody answered but whose caller said something are not merely missed. */
function callsWithVoicemail(items: readonly InboxItem[]): ReadonlySet<string> {
  return new Set(items.flatMap((item) => (item.type === 'voicemail' && item.call_id !== null ? [item.call_id] : [])));
}
