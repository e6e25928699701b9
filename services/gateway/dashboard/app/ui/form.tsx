import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './form.module.css';

/** The fields of a form below each other; short ones beside each other where there is room. */
export function Fields({ areShort = false, children }: { areShort?: boolean; children: ReactNode }): ReactNode {
  return <div className={classes(styles['fields'], areShort && styles['short'])}>{children}</div>;
}

/** The buttons of a form; *Save* is of the type `submit`. */
export function FormActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles['actions']}>{children}</div>;
}
