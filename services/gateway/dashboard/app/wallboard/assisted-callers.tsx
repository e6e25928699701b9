import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { AssistantBadge } from '../calls/assistant-badge.tsx';
import { useCall } from '../calls/call-queries.ts';
import { LiveTranscript } from '../calls/live-transcript.tsx';
import { TakeOver } from '../calls/take-over.tsx';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { duration } from '../ui/duration.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import type { AssistedCaller } from './board.ts';
import styles from './wallboard.module.css';

/** Who talks with an assistant, and what they say. `passedSecs`: since the report was made, `at`. */
export function AssistedCallers(props: {
  callers: readonly AssistedCaller[];
  at: string;
  passedSecs: number;
}): ReactNode {
  const { callers } = props;
  if (callers.length === 0) return null;
  return (
    <section className={styles['box']} aria-label={t('With an assistant')}>
      <h2>{t('With an assistant')}</h2>
      <ol className={styles['assisted']}>
        {callers.map((caller) => {
          const since = Date.parse(caller.assistant.since);
          const secs = Math.max(0, (Date.parse(props.at) - since) / 1000 + props.passedSecs);
          return <Assisted key={caller.call_id} caller={caller} secs={secs} />;
        })}
      </ol>
    </section>
  );
}

function Assisted({ caller, secs }: { caller: AssistedCaller; secs: number }): ReactNode {
  const { contact, assistant, transferring } = caller;
  const { data: call } = useCall(caller.call_id);
  const name = contact?.name?.trim() || contact?.company_name?.trim();
  return (
    <li>
      <div className={styles['row']}>
        <span className={styles['who']}>
          <Link href={`~/dashboard/calls/${encodeURIComponent(caller.call_id)}`} className={styles['name']}>
            {name ? <bdi>{name}</bdi> : <PhoneNumber value={caller.from} />}
          </Link>
          <span className={styles['second']}>
            <bdi>{caller.number}</bdi> ·{' '}
            {transferring
              ? t('{name} rings somebody', { name: assistant.name })
              : t('Talks with {name}', { name: assistant.name })}
          </span>
        </span>
        <AssistantBadge />
        <span className={styles['time']}>{duration(secs)}</span>
      </div>
      {call && <TakeOver call={call} size="s" />}
      {call && <LiveTranscript call={call} personName={name ?? phoneText(caller.from)} isLow />}
    </li>
  );
}
