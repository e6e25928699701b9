import { Fragment, type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import type { InboxItem } from '../api/schema.d.ts';
import { dayHeading, dayKey } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { ActivityItem } from '../inbox/activity-item.tsx';
import { useActivity } from '../inbox/activity-queries.ts';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { MessagesSquare } from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { QueryState } from '../ui/query-state.tsx';
import styles from './person-timeline.module.css';

/** More than these, and the browser leaves out what is not in view. */
const LONG = 200;

/** Calls, voicemails and texts with a person, the newest first. */
export function PersonTimeline({ phoneNumber }: { phoneNumber: string }): ReactNode {
  const { query, loadMore } = useActivity(phoneNumber);
  return (
    <section className={styles['timeline']} aria-label={t('Activity')}>
      <div className={styles['head']}>
        <h2>{t('Everything with this person')}</h2>
        <Link
          className={styles['link']}
          href={`~/dashboard/calls?${new URLSearchParams({ phone_number: phoneNumber })}`}
        >
          {t('Only calls')}
        </Link>
      </div>
      <QueryState query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={MessagesSquare} title={t('No calls or texts with this number yet.')} />
          ) : (
            <Items items={items} phoneNumber={phoneNumber} />
          )
        }
      </QueryState>
      <LoadMore {...loadMore} />
    </section>
  );
}

function Items({ items, phoneNumber }: { items: readonly InboxItem[]; phoneNumber: string }): ReactNode {
  const withVoicemail = useMemo(
    () => new Set(items.flatMap((item) => (item.type === 'voicemail' ? [item.call_id] : []))),
    [items],
  );
  return (
    <ol className={classes(styles['items'], items.length > LONG && styles['long'])}>
      {items.map((item, index) => (
        <Fragment key={item.id}>
          <Day item={item} previous={items[index - 1]} />
          <ActivityItem item={item} phoneNumber={phoneNumber} leftVoicemail={withVoicemail.has(item.id)} />
        </Fragment>
      ))}
    </ol>
  );
}

function Day({ item, previous }: { item: InboxItem; previous: InboxItem | undefined }): ReactNode {
  const at = new Date(item.created_at);
  if (previous && dayKey(new Date(previous.created_at)) === dayKey(at)) return null;
  return <li className={styles['day']}>{dayHeading(at)}</li>;
}
