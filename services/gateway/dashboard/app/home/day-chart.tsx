import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import styles from './day-chart.module.css';
import { type Figures, shownHours } from './figures.ts';

/** Calls by hour: yesterday beside today. */
export function DayChart({ figures }: { figures: Figures }): ReactNode {
  const hours = shownHours(figures);
  const max = Math.max(1, ...figures.today, ...figures.yesterday);
  const isEmpty = [...figures.today, ...figures.yesterday].every((count) => count === 0);
  const barOf = (count = 0) => ({ height: `${(count / max) * 100}%` });
  return (
    <figure className={styles['chart']} role="img" aria-label={summary(figures, hours)}>
      {isEmpty && <figcaption className={styles['empty']}>{t('No calls today or yesterday.')}</figcaption>}
      {hours.map((hour) => (
        <div key={hour} className={styles['slot']}>
          <div className={styles['bars']}>
            <span className={styles['before']} style={barOf(figures.yesterday[hour])} />
            <span className={styles['now']} style={barOf(figures.today[hour])} />
          </div>
          <span className={styles['hour']}>{String(hour).padStart(2, '0')}</span>
        </div>
      ))}
    </figure>
  );
}

function summary({ today }: Figures, hours: readonly number[]): string {
  const counts = hours.map((hour) => `${hour}: ${today[hour] ?? 0}`).join(', ');
  return t('Calls today by hour: {counts}', { counts });
}
