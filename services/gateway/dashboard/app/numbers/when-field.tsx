import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { MomentField } from '../ui/field.tsx';
import styles from './when-field.module.css';

/** The time at which one looks at the route. */
export function WhenField(props: {
  value: string;
  timezone: string;
  onChange: (value: string) => void;
  isProposed: boolean;
}): ReactNode {
  return (
    <div className={styles['when']}>
      <MomentField
        label={t('What happens at …')}
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <span className={styles['legend']}>
        <span className={styles['line']} aria-hidden="true" />
        {props.isProposed ? t('the way a call takes then, with your changes') : t('the way a call takes then')}
      </span>
      <span className={styles['zone']}>{props.timezone.replaceAll('_', ' ')}</span>
    </div>
  );
}
