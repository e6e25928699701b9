import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import text from '../ui/text.module.css';
import styles from './skeleton-report.module.css';

const BARS = [34, 58, 52, 70, 46, 64, 22, 30, 61, 74, 55, 68, 49, 18];

/** The shape of a report that is on its way. */
export function SkeletonReport(): ReactNode {
  return (
    <div className={styles['report']} role="status" aria-busy="true">
      <span className={text['unseen']}>{t('Loading…')}</span>
      <div className={styles['chart']} aria-hidden="true">
        {BARS.map((height, index) => (
          <span key={index} style={{ height: `${height}%` }} />
        ))}
      </div>
    </div>
  );
}
