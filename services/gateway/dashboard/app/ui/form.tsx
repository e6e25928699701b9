import type { ReactNode } from 'react';
import styles from './form.module.css';

/** The fields of a form below each other. */
export function Fields({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles['fields']}>{children}</div>;
}

/** The buttons of a form; *Save* is of the type `submit`. */
export function FormActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles['actions']}>{children}</div>;
}
