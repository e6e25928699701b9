import { memo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { CallItem, InboxItem } from '../api/schema.d.ts';
import { Time } from '../ui/time.tsx';
import { callWords, statusWords } from './activity-texts.ts';
import { TextItem } from './text-item.tsx';
import { VoicemailItem } from './voicemail-item.tsx';

const KNOWN_TYPES: readonly string[] = ['call', 'voicemail', 'message'] satisfies InboxItem['type'][];

/** One item; a type that is not known yet is not shown. */
export const ActivityItem = memo(function ActivityItem(props: { item: InboxItem; phoneNumber: string }): ReactNode {
  const { item } = props;
  if (!KNOWN_TYPES.includes(item.type)) return null;
  return (
    <li className={`activity-item ${item.direction}`}>
      <Content {...props} />
      <p className="item-foot soft">
        {item.type === 'message' && (
          <>
            {item.direction === 'outbound' && `${item.author.name?.trim() || 'Sent'} · `}
            <span className={item.status === 'failed' ? 'failed' : undefined}>{statusWords(item)}</span>
            {' · '}
          </>
        )}
        <Time at={item.created_at} withTime />
        {item.business_number_name && ` · ${item.business_number_name}`}
      </p>
    </li>
  );
});

function Content({ item, phoneNumber }: { item: InboxItem; phoneNumber: string }): ReactNode {
  switch (item.type) {
    case 'call':
      return <CallContent call={item} />;
    case 'voicemail':
      return <VoicemailItem voicemail={item} phoneNumber={phoneNumber} />;
    case 'message':
      return <TextItem message={item} phoneNumber={phoneNumber} />;
  }
}

function CallContent({ call }: { call: CallItem }): ReactNode {
  const { direction, outcome } = callWords(call);
  return (
    <>
      <p className="item-head">
        <Link href={`~/dashboard/calls/${encodeURIComponent(call.id)}`}>{direction}</Link>, {outcome}
      </p>
      {call.summary && <p className="item-text">{call.summary}</p>}
    </>
  );
}
