import { memo, type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { InboxThread } from '../api/schema.d.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Time } from '../ui/time.tsx';
import { contactName } from './activity-texts.ts';
import type { useThreads } from './thread-queries.ts';

export function ThreadList(props: ReturnType<typeof useThreads> & { isFiltered: boolean }): ReactNode {
  const { query, loadMore, isFiltered } = props;
  return (
    <QueryState query={query} what="threads">
      {({ items }) => (
        <>
          <ul className="threads" aria-label="Threads" aria-busy={query.isPlaceholderData}>
            {items.map((thread) => (
              <Thread key={thread.phone_number} thread={thread} />
            ))}
          </ul>
          {items.length === 0 && !loadMore.hasNextPage && (
            <p className="soft">{isFiltered ? 'Nothing matches.' : 'No calls or texts yet.'}</p>
          )}
          <LoadMore {...loadMore} />
        </>
      )}
    </QueryState>
  );
}

const Thread = memo(function Thread({ thread }: { thread: InboxThread }): ReactNode {
  const id = useId();
  const { phone_number: phoneNumber, contact, unseen_count: unseenCount, latest_item: latest } = thread;
  return (
    <li aria-labelledby={id}>
      <Link id={id} href={`/${encodeURIComponent(phoneNumber)}`} className={unseenCount > 0 ? 'unseen' : ''}>
        <span className="thread-name">{contactName(contact) ?? phoneNumber}</span>{' '}
        {unseenCount > 0 && (
          <span className="badge">
            {unseenCount} <span className="visually-hidden">Unseen</span>
          </span>
        )}{' '}
        <span className="thread-time soft">
          <Time at={thread.last_activity_at} />
        </span>{' '}
        <span className="thread-preview">
          {latest.direction === 'outbound' && <span className="soft">Outgoing: </span>}
          {latest.status === 'failed' && <span className="failed">Failed: </span>}
          {thread.preview}
        </span>
      </Link>
    </li>
  );
});
