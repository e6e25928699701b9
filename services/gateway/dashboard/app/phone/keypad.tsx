import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import styles from './keypad.module.css';
import { softphone } from './softphone.ts';

export const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

/** Keys that the other side hears, as for a menu. */
export function Keypad(): ReactNode {
  return (
    <div role="group" aria-label={t('Keys')} className={styles['keypad']}>
      {KEYS.map((key) => (
        <button key={key} type="button" className={styles['key']} onClick={() => softphone.pressKey(key)}>
          {key}
        </button>
      ))}
    </div>
  );
}
