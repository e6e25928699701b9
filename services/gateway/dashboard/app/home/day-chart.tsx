import type { ReactNode } from 'react';
import { number } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import styles from './day-chart.module.css';
import { type HoursOfDays, shownHours } from './figures.ts';

/** Calls by hour: yesterday beside today. */
export function DayChart({ hours: counts }: { hours: HoursOfDays }): ReactNode {
  const hours = shownHours(counts);
  const max = Math.max(1, ...counts.today, ...counts.yesterday);
  const isEmpty = [...counts.today, ...counts.yesterday].every((count) => count === 0);
  const barOf = (count = 0) => ({ height: `${(count / max) * 100}%` });
  return (
    <figure className={styles['chart']} role="img" aria-label={summary(counts, hours)}>
      {isEmpty && <figcaption className={styles['empty']}>{t('No calls today or yesterday.')}</figcaption>}
      {hours.map((hour) => (
        <div key={hour} className={styles['slot']}>
          <div className={styles['bars']}>
            <span className={styles['before']} style={barOf(counts.yesterday[hour])} />
            <span className={styles['now']} style={barOf(counts.today[hour])} />
          </div>
          <span className={styles['hour']}>{String(hour).padStart(2, '0')}</span>
        </div>
      ))}
    </figure>
  );
}

/** Which bars are whose day, with its calls. */
export function DayLegend({ hours: { today, yesterday } }: { hours: HoursOfDays }): ReactNode {
  const sum = (counts: readonly number[]) => number(counts.reduce((total, count) => total + count, 0));
  return (
    <p className={styles['legend']}>
      <span>
        <i className={styles['before']} />
        {t('Yesterday {count}', { count: sum(yesterday) })}
      </span>
      <span>
        <i className={styles['now']} />
        {t('Today {count}', { count: sum(today) })}
      </span>
    </p>
  );
}

function summary({ today }: HoursOfDays, hours: readonly number[]): string {
  const counts = hours.map((hour) => `${hour}: ${today[hour] ?? 0}`).join(', ');
  return t('Calls today by hour: {counts}', { counts });
}
