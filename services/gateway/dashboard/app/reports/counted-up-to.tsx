import type { ReactNode } from 'react';
import { exactTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { SMALL } from '../ui/icon.ts';
import { CircleCheck } from '../ui/icons/index.ts';
import styles from './reports-page.module.css';

/** `time`: the report counts every event before it. */
export function CountedUpTo({ time }: { time: string }): ReactNode {
  return (
    <p className={styles['counted']}>
      <CircleCheck {...SMALL} />
      {t('Counted up to {time}', { time: exactTime(new Date(time)) })}
    </p>
  );
}
