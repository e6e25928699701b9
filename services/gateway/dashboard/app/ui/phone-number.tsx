import type { ReactNode } from 'react';
import { phoneGroups } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import styles from './text.module.css';

/** A phone number in groups. They are set apart without spaces: what is copied can be dialled. */
export function PhoneNumber({ value }: { value: string }): ReactNode {
  if (value === 'anonymous' || value === '') return t('Unknown number');
  const groups = phoneGroups(value);
  if (!groups) return <bdi>{value}</bdi>;
  return (
    <bdi className={styles['number']}>
      {groups.map((group, index) => (
        <span key={index}>{group}</span>
      ))}
    </bdi>
  );
}
