import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { CallItem, InboxItem } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import colours from '../ui/badge.module.css';
import { classes } from '../ui/classes.ts';
import { type Icon, SMALL } from '../ui/icon.ts';
import text from '../ui/text.module.css';
import { Bot, PhoneIncoming, PhoneMissed, PhoneOutgoing, Voicemail } from '../ui/icons/index.ts';
import { Time } from '../ui/time.tsx';
import styles from './activity-item.module.css';
import { callWords, isAssisted } from './activity-texts.ts';
import { CommentItem } from './comment-item.tsx';
import { TextItem } from './text-item.tsx';
import { VoicemailItem } from './voicemail-item.tsx';

/** One item; a type that is not known yet is not shown. */
export const ActivityItem = memo(function ActivityItem(props: {
  item: InboxItem;
  phoneNumber: string;
  /** True for a call whose caller left a voicemail. */
  leftVoicemail: boolean;
  /** True for the text that the address names. */
  isLinked?: boolean;
}): ReactNode {
  const { item, phoneNumber } = props;
  switch (item.type) {
    case 'call':
      return <CallLine call={item} leftVoicemail={props.leftVoicemail} />;
    case 'voicemail':
      return <VoicemailItem voicemail={item} phoneNumber={phoneNumber} />;
    case 'message':
      return <TextItem message={item} phoneNumber={phoneNumber} isLinked={props.isLinked ?? false} />;
    case 'comment':
      return <CommentItem comment={item} />;
    default:
      return null;
  }
});

function CallLine({ call, leftVoicemail }: { call: CallItem; leftVoicemail: boolean }): ReactNode {
  const { direction, outcome } = callWords(call, leftVoicemail);
  const [Shape, tone] = shapeOf(call, leftVoicemail);
  return (
    <li className={styles['call']}>
      <span className={classes(styles['icon'], colours[tone])}>
        <Shape {...SMALL} />
      </span>
      <p className={styles['words']}>
        <Link className={styles['link']} href={`~/dashboard/calls/${encodeURIComponent(call.id)}`}>
          {direction}
        </Link>{' '}
        <span className={tone === 'bad' ? styles['missed'] : styles['outcome']}>· {outcome}</span>
        {call.business_number_name && (
          <span className={styles['outcome']}>
            {' '}
            · <bdi>{call.business_number_name}</bdi>
          </span>
        )}
      </p>
      <span className={text['meta']}>
        <Time at={call.created_at} onlyTime />
      </span>
      {call.summary && (
        <p className={styles['summary']}>
          <bdi>{call.summary}</bdi>{' '}
          <Link
            className={styles['more']}
            href={`~/dashboard/calls/${encodeURIComponent(call.id)}`}
            aria-hidden="true"
            tabIndex={-1}
          >
            {t('Open')}
          </Link>
        </p>
      )}
    </li>
  );
}

function shapeOf(call: CallItem, leftVoicemail: boolean): readonly [Icon, 'good' | 'bad' | 'accent' | 'neutral'] {
  if (leftVoicemail) return [Voicemail, 'accent'];
  if (call.state === 'ended' && isAssisted(call)) return [Bot, 'accent'];
  if (call.missed) return call.direction === 'inbound' ? [PhoneMissed, 'bad'] : [PhoneOutgoing, 'neutral'];
  return call.direction === 'inbound' ? [PhoneIncoming, 'good'] : [PhoneOutgoing, 'neutral'];
}
