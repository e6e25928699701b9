import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { liveReportQuery } from '../api/shared-queries.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t, tn } from '../i18n/translate.ts';
import { duration } from '../ui/duration.ts';
import { MEDIUM } from '../ui/icon.ts';
import { Hourglass } from '../ui/icons/index.ts';
import { useNow } from '../ui/use-now.ts';
import styles from './queue-line.module.css';

/** Who waits on the number of the current call, because nobody is free: they do not ring here as long as it lasts. */
export function QueueLine({ businessNumberId }: { businessNumberId: string }): ReactNode {
  const { data } = useQuery(liveReportQuery);
  const waiting = data?.live.numbers.find(({ id }) => id === businessNumberId)?.waiting ?? [];
  const [first] = waiting;
  if (!data || !first) return null;
  const name = first.contact?.name || first.contact?.company_name || phoneText(first.from);
  const others = waiting.length - 1;
  return (
    <p className={styles['queue']} role="status">
      <Hourglass {...MEDIUM} />
      <span className={styles['who']}>
        <bdi>{t('{name} waits', { name })}</bdi>
        {others > 0 && ` ${tn(others, 'and 1 more', 'and {count} more')}`}
      </span>
      <Waited secs={first.waiting_secs} readAt={data.readAt} />
    </p>
  );
}

/** Not announced: it changes every second. */
function Waited({ secs, readAt }: { secs: number; readAt: number }): ReactNode {
  const now = useNow();
  return (
    <span className={styles['time']} aria-hidden="true">
      {duration(secs + Math.max(0, (now - readAt) / 1000))}
    </span>
  );
}
