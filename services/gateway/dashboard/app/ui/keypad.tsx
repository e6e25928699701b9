import type { ReactNode } from 'react';
import styles from './keypad.module.css';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

/** The keys of a telephone; `l` where they fill the screen of one. */
export function Keypad(props: { label: string; onPress: (key: string) => void; size?: 'm' | 'l' }): ReactNode {
  return (
    <div role="group" aria-label={props.label} className={styles[props.size ?? 'm']}>
      {KEYS.map((key) => (
        <button key={key} type="button" className={styles['key']} onClick={() => props.onPress(key)}>
          {key}
        </button>
      ))}
    </div>
  );
}
