import type { ReactNode } from 'react';
import { exactTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { readersZone } from '../i18n/zoned-time.ts';
import { SMALL } from '../ui/icon.ts';
import { CircleCheck } from '../ui/icons/index.ts';
import { Section } from '../ui/page.tsx';
import text from '../ui/text.module.css';
import { BarChart, Legend, NamedBars } from './bar-chart.tsx';
import { type ChartRow, isInTime } from './chart-row.ts';
import type { ReportPeriod } from './report-period.ts';
import type { Group } from './report-queries.ts';
import skeleton from './skeleton-report.module.css';
import styles from './reports-page.module.css';

/** The groups of a report as a chart; `empty` where there is nothing to see. */
export function ReportChart<Counted>(props: {
  title: string;
  group: Group;
  rows: readonly ChartRow<Counted>[];
  empty: string | false;
}): ReactNode {
  const { title, rows, empty } = props;
  const Chart = isInTime(props.group) ? BarChart : NamedBars;
  return (
    <Section title={title} actions={!empty && <Legend rows={rows} />}>
      {empty && <p className={styles['empty']}>{empty}</p>}
      <Chart rows={rows} label={t('{title}, as bars', { title })} />
    </Section>
  );
}

const BARS = [34, 58, 52, 70, 46, 64, 22, 30, 61, 74, 55, 68, 49, 18];

/** The shape of a report that is on its way. */
export function SkeletonReport(): ReactNode {
  return (
    <div className={skeleton['report']} role="status" aria-busy="true">
      <span className={text['unseen']}>{t('Loading…')}</span>
      <div className={skeleton['chart']} aria-hidden="true">
        {BARS.map((height, index) => (
          <span key={index} style={{ height: `${height}%` }} />
        ))}
      </div>
    </div>
  );
}

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

export function groupName(group: Group): string {
  return {
    day: t('day'),
    weekday: t('weekday'),
    hour_of_day: t('hour of the day'),
    business_number: t('number'),
    employee: t('employee'),
  }[group];
}
