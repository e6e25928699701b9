import type { ReactNode } from 'react';
import styles from './text.module.css';

/** A name from outside: isolated from the direction of the text around it, on one line. */
export function Name({ children }: { children: string }): ReactNode {
  return <bdi className={styles['name']}>{children}</bdi>;
}

/** For assistive technology only. */
export function Unseen({ children }: { children: ReactNode }): ReactNode {
  return <span className={styles['unseen']}>{children}</span>;
}
