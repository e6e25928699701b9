import { memo, type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { InboxThread } from '../api/schema.d.ts';
import { threadPreview } from '../api/thread-preview.ts';
import { t } from '../i18n/translate.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Count } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import {
  Check,
  CircleAlert,
  Phone,
  PhoneMissed,
  PhoneOutgoing,
  Reply,
  UserRound,
  Voicemail,
} from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { Unseen } from '../ui/text.tsx';
import { Time } from '../ui/time.tsx';
import { contactName } from './activity-texts.ts';
import styles from './thread-row.module.css';

const TINY = { size: 13, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** `top`: where the list, which shows only the rows in view, places it. */
export const ThreadRow = memo(function ThreadRow(props: {
  thread: InboxThread;
  top: number;
  isOpen: boolean;
}): ReactNode {
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
