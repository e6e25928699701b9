import { type ComponentProps, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { session } from '../session.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { ActivityItem } from './activity-item.tsx';
import type { Activity } from './activity-queries.ts';
import { useMarkSeen } from './use-mark-seen.ts';
import { useReadingPosition } from './use-reading-position.ts';

/** The items, oldest at the top; scrolled to the newest until one scrolls up. */
export function ActivityLog(props: {
  activity: Activity;
  loadMore: Omit<ComponentProps<typeof LoadMore>, 'scroller'>;
}): ReactNode {
  const { activity, loadMore } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const oldestFirst = useMemo(() => activity.items.toReversed(), [activity.items]);
  const { isAtEnd, onScroll, scrollToEnd } = useReadingPosition(box, list, activity.items);
  useMarkSeen(activity, isAtEnd);

  const newest = activity.items[0];
  const [readUntil, setReadUntil] = useState(newest?.id);
  if (isAtEnd && readUntil !== newest?.id) setReadUntil(newest?.id);
  const isOwn = newest?.type === 'message' && newest.author.id === session.employeeId;
  useEffect(() => {
    // What one has just sent oneself is what one wants to see.
    if (isOwn) scrollToEnd();
  }, [newest?.id, isOwn, scrollToEnd]);

  return (
    <div className="activity-frame">
      <div
        ref={box}
        className="activity"
        role="log"
        aria-label="Activity"
        aria-busy={loadMore.isFetchingNextPage}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus
        tabIndex={0}
        onScroll={onScroll}
      >
        <LoadMore {...loadMore} scroller={box} />
        {oldestFirst.length === 0 && <p className="soft">No calls or texts with this number yet.</p>}
        <ol ref={list} className="activity-items">
          {oldestFirst.map((item) => (
            <ActivityItem key={item.id} item={item} phoneNumber={activity.phoneNumber} />
          ))}
        </ol>
      </div>
      <div role="status">
        {readUntil !== newest?.id && (
          <button type="button" className="new-activity" onClick={scrollToEnd}>
            New activity below
          </button>
        )}
      </div>
    </div>
  );
}
