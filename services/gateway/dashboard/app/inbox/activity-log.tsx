import { ArrowDown, MessagesSquare } from 'lucide-react';
import { type ComponentProps, Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { InboxItem } from '../api/schema.d.ts';
import { dayHeading, dayKey } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { SMALL } from '../ui/icon.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { ActivityItem } from './activity-item.tsx';
import styles from './activity-log.module.css';
import type { Activity } from './activity-queries.ts';
import { useMarkSeen } from './use-mark-seen.ts';
import { useReadingPosition } from './use-reading-position.ts';

/** More than these, and the browser leaves out what is not in view. */
const LONG = 200;

/** The items, oldest at the top, by day; scrolled to the newest until one scrolls up. */
export function ActivityLog(props: {
  activity: Activity;
  loadMore: Omit<ComponentProps<typeof LoadMore>, 'scroller'>;
}): ReactNode {
  const { activity, loadMore } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const oldestFirst = useMemo(() => activity.items.toReversed(), [activity.items]);
  const withVoicemail = useMemo(() => callsWithVoicemail(activity.items), [activity.items]);
  const { isAtEnd, onScroll, scrollToEnd } = useReadingPosition(box, list, activity.items);
  useMarkSeen(activity, isAtEnd);

  const newest = activity.items[0];
  const [readUntil, setReadUntil] = useState(newest?.id);
  if (isAtEnd && readUntil !== newest?.id) setReadUntil(newest?.id);
  const isOwn = newest?.type === 'message' && newest.author.id === session.employeeId;
  useEffect(() => {
    // Users want to see the item that they have just sent.
    if (isOwn) scrollToEnd();
  }, [newest?.id, isOwn, scrollToEnd]);

  return (
    <div className={styles['frame']}>
      <div
        ref={box}
        className={styles['log']}
        role="log"
        aria-label={t('Activity')}
        aria-busy={loadMore.isFetchingNextPage}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus
        tabIndex={0}
        onScroll={onScroll}
      >
        <LoadMore {...loadMore} scroller={box} />
        {oldestFirst.length === 0 && (
          <EmptyState icon={MessagesSquare} title={t('No calls or texts with this number yet.')} />
        )}
        <ol ref={list} className={classes(styles['items'], oldestFirst.length > LONG && styles['long'])}>
          {oldestFirst.map((item, index) => (
            <Fragment key={item.id}>
              <DaySeparator item={item} previous={oldestFirst[index - 1]} />
              <ActivityItem item={item} phoneNumber={activity.phoneNumber} leftVoicemail={withVoicemail.has(item.id)} />
            </Fragment>
          ))}
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

function DaySeparator(props: { item: InboxItem; previous: InboxItem | undefined }): ReactNode {
  const at = new Date(props.item.created_at);
  if (props.previous && dayKey(new Date(props.previous.created_at)) === dayKey(at)) return null;
  return (
    <li className={styles['day']} data-heading>
      <span>{dayHeading(at)}</span>
    </li>
  );
}

/** Calls that nobody answered but whose caller said something are not merely missed. */
function callsWithVoicemail(items: readonly InboxItem[]): ReadonlySet<string> {
  return new Set(items.flatMap((item) => (item.type === 'voicemail' && item.call_id !== null ? [item.call_id] : [])));
}
