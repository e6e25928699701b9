import type { ReactNode } from 'react';
import { exactTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { readersZone } from '../i18n/zoned-time.ts';
import { SMALL } from '../ui/icon.ts';
import { CircleCheck } from '../ui/icons/index.ts';
import type { ReportPeriod } from './report-period.ts';
import styles from './reports-page.module.css';

/** `time`: the report counts every event before it. The time zone is named to those who have another one. */
export function CountedUpTo({ time, period }: { time: string; period: ReportPeriod }): ReactNode {
  const { timezone = '' } = period;
  return (
    <p className={styles['counted']}>
      <CircleCheck {...SMALL} />
      {t('Counted up to {time}', { time: exactTime(new Date(time)) })}
      {timezone !== readersZone() && ` · ${t('Days and hours of {zone}', { zone: timezone.replaceAll('_', ' ') })}`}
    </p>
  );
}
