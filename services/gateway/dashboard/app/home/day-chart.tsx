import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import styles from './day-chart.module.css';
import { type Figures, shownHours } from './figures.ts';

const HEIGHT = 84;
const SLOT = 56;
const BAR = 18;

/** Calls by hour: yesterday behind today. */
export function DayChart({ figures }: { figures: Figures }): ReactNode {
  const hours = shownHours(figures);
  const max = Math.max(1, ...figures.today, ...figures.yesterday);
  const heightOf = (count: number) => (count / max) * HEIGHT;
  return (
    <figure className={styles['chart']}>
      <svg viewBox={`0 0 ${hours.length * SLOT} ${HEIGHT + 20}`} role="img" aria-label={summary(figures, hours)}>
        {hours.map((hour, index) => {
          const [before, now] = [heightOf(figures.yesterday[hour] ?? 0), heightOf(figures.today[hour] ?? 0)];
          const left = index * SLOT + 8;
          return (
            <g key={hour}>
              <rect className={styles['before']} x={left} y={HEIGHT - before} width={BAR} height={before} rx={2} />
              <rect className={styles['now']} x={left + BAR + 2} y={HEIGHT - now} width={BAR} height={now} rx={2} />
              <text className={styles['hour']} x={left + BAR + 1} y={HEIGHT + 16}>
                {String(hour).padStart(2, '0')}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

function summary({ today }: Figures, hours: readonly number[]): string {
  const counts = hours.map((hour) => `${hour}: ${today[hour] ?? 0}`).join(', ');
  return t('Calls today by hour: {counts}', { counts });
}
